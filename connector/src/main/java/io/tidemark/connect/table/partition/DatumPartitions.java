package io.tidemark.connect.table.partition;

import io.tidemark.avro.plan.TableDatums;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the Hive partition of a datum, by its fields and by what is known of its record. Not
 * thread-safe: each worker has one of its own.
 */
@FunctionalInterface
public interface DatumPartitions {

  /**
   * The Hive partition of a datum. Equal ones are mostly the same object.
   *
   * @param datums of the last run
   * @param from where the record came from
   * @param epochMillis its time, in milliseconds since 1970-01-01T00:00Z
   * @throws UnusablePartitionException a value is not one that Hive, its Metastore or HDFS can hold
   */
  HivePartition assign(TableDatums datums, int datum, TopicPartition from, long epochMillis)
      throws UnusablePartitionException;
}
