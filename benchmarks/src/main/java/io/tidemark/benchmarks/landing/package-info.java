/** Benchmarks of the whole connector through Connect and HDFS, compared with other sinks. */
@NullMarked
package io.tidemark.benchmarks.landing;

import org.jspecify.annotations.NullMarked;
