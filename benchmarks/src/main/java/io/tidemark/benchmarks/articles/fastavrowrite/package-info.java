/** The benchmark of the article "Fast Avro Write". */
@NullMarked
package io.tidemark.benchmarks.articles.fastavrowrite;

import org.jspecify.annotations.NullMarked;
