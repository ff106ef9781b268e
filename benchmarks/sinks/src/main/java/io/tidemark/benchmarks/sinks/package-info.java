/** Sinks that do less than Tidemark, as upper limits to compare it with. */
@NullMarked
package io.tidemark.benchmarks.sinks;

import org.jspecify.annotations.NullMarked;
