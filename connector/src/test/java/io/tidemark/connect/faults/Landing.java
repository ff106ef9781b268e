package io.tidemark.connect.faults;

import io.tidemark.connect.batch.NullValues;
import io.tidemark.connect.pipeline.PartitionEnds;
import io.tidemark.connect.table.partition.PartitionSpec;
import io.tidemark.connect.table.partition.TimePartitioned;
import java.util.Optional;
import java.util.OptionalLong;

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

  private static final long PARTITION_MS = 1_500;

  /**
   * Where tables are divided by time, a task commits when a Hive partition ends, which is often.
   */
  Optional<PartitionEnds> partitionEnds(int task) {
    return partitioning instanceof TimePartitioned
        ? Optional.of(
            new PartitionEnds(
                time -> OptionalLong.of(time - Math.floorMod(time, PARTITION_MS) + PARTITION_MS),
                0,
                task))
        : Optional.empty();
  }

  /** There is a dead letter topic. */
  boolean deadLetters() {
    return deadLettersInFlight > 0;
  }
}
