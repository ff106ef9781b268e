/** The cost of files that survive a power loss. */
@NullMarked
package io.tidemark.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
