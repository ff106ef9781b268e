package io.tidemark.connect.faults;

import io.tidemark.connect.batch.NullValues;
import io.tidemark.connect.table.partition.PartitionSpec;

/**
 * How tasks land in a {@link World}.
 *
 * @param partitioning of every table
 * @param batchRecords records of a flush
 * @param batchOffsetRanges ranges of offsets that do not land, of a batch that is to end
 * @param batchIntervalMs the longest that a record waits for its flush
 * @param retainedEntries entries of a log that stay when older ones are folded
 * @param nullValues what a tombstone does
 * @param deadLettersInFlight dead letters on their way at a time; 0 where there is no dead letter
 *     topic
 */
record Landing(
    PartitionSpec partitioning,
    long batchRecords,
    int batchOffsetRanges,
    long batchIntervalMs,
    int retainedEntries,
    NullValues nullValues,
    int deadLettersInFlight) {

  /** There is a dead letter topic. */
  boolean deadLetters() {
    return deadLettersInFlight > 0;
  }
}
