/** The benchmark of the article "Avro Benchmark". */
@NullMarked
package io.tidemark.benchmarks.articles.avrobenchmark;

import org.jspecify.annotations.NullMarked;
