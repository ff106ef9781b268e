/** The CPU time of a process by what its threads work for. */
@NullMarked
package io.tidemark.benchmarks.landing.threads;

import org.jspecify.annotations.NullMarked;
