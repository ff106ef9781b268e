/** Benchmarks in the shape of published articles, with the articles' figures beside ours. */
@NullMarked
package io.tidemark.benchmarks.articles;

import org.jspecify.annotations.NullMarked;
