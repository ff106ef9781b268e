/** Sinks that do less than Tidemark, as limits to measure it by. */
@NullMarked
package io.tidemark.benchmarks.sinks;

import org.jspecify.annotations.NullMarked;
