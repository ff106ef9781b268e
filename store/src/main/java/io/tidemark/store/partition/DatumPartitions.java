package io.tidemark.store.partition;

import io.tidemark.avro.plan.TableDatums;
import io.tidemark.store.TopicPartition;

/** Computes Hive partitions of datums. Not thread-safe: each thread has its own instance. */
@FunctionalInterface
public interface DatumPartitions {

  /**
   * Returns the Hive partition of a datum of the last run, for a record of a topic-partition and a
   * time in milliseconds since 1970-01-01T00:00Z. Equal ones are usually the same object.
   */
  HivePartition assign(TableDatums datums, int datum, TopicPartition from, long epochMillis)
      throws UnusablePartitionException;
}
