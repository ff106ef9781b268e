/**
 * Benchmarks that repeat those of published articles, with the articles' figures for comparison.
 */
@NullMarked
package io.tidemark.benchmarks.articles;

import org.jspecify.annotations.NullMarked;
