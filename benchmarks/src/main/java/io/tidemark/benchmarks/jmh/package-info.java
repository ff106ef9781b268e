/** The benchmark as JMH runs it. */
@NullMarked
package io.tidemark.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
