@NullMarked
package io.tidemark.benchmarks.articles.avrofastserde;

import org.jspecify.annotations.NullMarked;
