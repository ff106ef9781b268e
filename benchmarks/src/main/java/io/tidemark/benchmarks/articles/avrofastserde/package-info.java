/** The benchmark of RTB House's article on avro-fastserde. */
@NullMarked
package io.tidemark.benchmarks.articles.avrofastserde;

import org.jspecify.annotations.NullMarked;
