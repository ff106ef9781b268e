package io.tidemark.connect.partitioner;

import java.util.Optional;

/**
 * What a {@link Partitioner} may look at of a record. It is valid during the call alone: the next
 * record comes in the same object.
 */
public interface PartitionedRecord {

  /** The topic that the record came from. */
  String topic();

  /** Its topic-partition's number. */
  int topicPartition();

  /** Its timestamp in Kafka, in milliseconds since 1970-01-01T00:00Z; -1 where it has none. */
  long timestamp();

  /**
   * The value of one of {@link Partitioner#fields}, as Hive casts it to a string: {@code 42},
   * {@code 12.50}, {@code 2026-11-21}. Empty where it is null.
   *
   * @param index the place of the field in that list, from 0
   * @throws UnusableRecordException the value has no such text
   */
  Optional<String> field(int index) throws UnusableRecordException;
}
