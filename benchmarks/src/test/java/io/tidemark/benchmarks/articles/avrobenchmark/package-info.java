@NullMarked
package io.tidemark.benchmarks.articles.avrobenchmark;

import org.jspecify.annotations.NullMarked;
