package io.tidemark.store.partition;

import io.tidemark.avro.plan.TableDatums;
import io.tidemark.store.TopicPartition;

/**
 * Computes the Hive partition of a datum from the datum's fields, and from origin and time of its
 * record. Not thread-safe: each thread has its own instance.
 */
@FunctionalInterface
public interface DatumPartitions {

  /**
   * Returns the Hive partition of a datum. Equal Hive partitions are usually the same object.
   *
   * @param datums the datums of the last run
   * @param datum the index of the datum in {@code datums}
   * @param from the record's topic-partition
   * @param epochMillis the record's time, in milliseconds since 1970-01-01T00:00Z
   * @throws UnusablePartitionException Hive, its Metastore or HDFS cannot store a value
   */
  HivePartition assign(TableDatums datums, int datum, TopicPartition from, long epochMillis)
      throws UnusablePartitionException;
}
