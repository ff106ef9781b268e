package io.tidemark.partitioner;

import java.util.Optional;

/** The parts of a record that a {@link Partitioner} can use, valid only during the call. */
public interface PartitionedRecord {

  String topic();

  /** Returns the number of the record's topic-partition. */
  int topicPartition();

  /** The timestamp in Kafka, in milliseconds since 1970-01-01T00:00Z; -1 if there is none. */
  long timestamp();

  /**
   * Returns the value of one of {@link Partitioner#fields}, as Hive casts it to a string: {@code
   * 42}, {@code 12.50}, {@code 2026-11-21}. Empty if the value is null.
   *
   * @param index the index of the field in the list of {@link Partitioner#fields}, from 0
   * @throws UnusableRecordException the value cannot be converted to text
   */
  Optional<String> field(int index) throws UnusableRecordException;
}
