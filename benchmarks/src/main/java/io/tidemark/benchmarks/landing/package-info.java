/** The whole connector through Connect and HDFS, beside other sinks. */
@NullMarked
package io.tidemark.benchmarks.landing;

import org.jspecify.annotations.NullMarked;
