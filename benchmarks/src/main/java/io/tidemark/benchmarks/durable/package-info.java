/** What it costs to have files survive a power loss. */
@NullMarked
package io.tidemark.benchmarks.durable;

import org.jspecify.annotations.NullMarked;
