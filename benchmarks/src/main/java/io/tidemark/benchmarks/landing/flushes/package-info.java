/** The time from the write of a record to Kafka until Hive sees it, at a fixed rate. */
@NullMarked
package io.tidemark.benchmarks.landing.flushes;

import org.jspecify.annotations.NullMarked;
