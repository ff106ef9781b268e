package io.tidemark.connect.faults;

import io.tidemark.connect.batch.NullValues;
import io.tidemark.connect.pipeline.setting.PartitionEnds;
import io.tidemark.connect.staging.FileLimits;
import io.tidemark.connect.table.partition.PartitionSpec;
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
 * @param hivePartitions how many Hive partitions a batch may touch
 * @param files when a file ends before its batch
 * @param routes to which tables the records of a topic go
 * @param wallclock the Hive partition is that of the time at which a record is read
 */
record Landing(
    PartitionSpec partitioning,
    long batchRecords,
    int batchOffsetRanges,
    long batchIntervalMs,
    int retainedEntries,
    NullValues nullValues,
    int deadLettersInFlight,
    int hivePartitions,
    FileLimits files,
    Routes routes,
    boolean wallclock) {

  private static final long PARTITION_MS = 1_500;
  private static final int MANY_HIVE_PARTITIONS = 100;

  /** Batches touch as many Hive partitions as they like, by what the records say. */
  Landing(
      PartitionSpec partitioning,
      long batchRecords,
      int batchOffsetRanges,
      long batchIntervalMs,
      int retainedEntries,
      NullValues nullValues,
      int deadLettersInFlight) {
    this(
        partitioning,
        batchRecords,
        batchOffsetRanges,
        batchIntervalMs,
        retainedEntries,
        nullValues,
        deadLettersInFlight,
        MANY_HIVE_PARTITIONS,
        FileLimits.NONE,
        Routes.NONE,
        false);
  }

  /** As this, and files end before their batch. */
  Landing files(FileLimits limits) {
    return new Landing(
        partitioning,
        batchRecords,
        batchOffsetRanges,
        batchIntervalMs,
        retainedEntries,
        nullValues,
        deadLettersInFlight,
        hivePartitions,
        limits,
        routes,
        wallclock);
  }

  /** As this, with records that go to several tables. */
  Landing routed(Routes ways) {
    return new Landing(
        partitioning,
        batchRecords,
        batchOffsetRanges,
        batchIntervalMs,
        retainedEntries,
        nullValues,
        deadLettersInFlight,
        hivePartitions,
        files,
        ways,
        wallclock);
  }

  /**
   * Where tables are divided by time, a task commits when a Hive partition ends, which is often.
   */
  Optional<PartitionEnds> partitionEnds(int task) {
    return partitioning.time().isPresent()
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
