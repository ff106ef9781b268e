@NullMarked
package io.tidemark.benchmarks.articles;

import org.jspecify.annotations.NullMarked;
