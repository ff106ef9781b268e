@NullMarked
package io.tidemark.benchmarks.articles.fastavrowrite;

import org.jspecify.annotations.NullMarked;
