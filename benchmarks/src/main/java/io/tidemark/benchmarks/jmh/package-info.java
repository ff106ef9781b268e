/** The JMH benchmark. */
@NullMarked
package io.tidemark.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
