package io.tidemark.connect.faults;

import io.tidemark.connect.intake.PartitionEnds;
import io.tidemark.connect.staging.FileLimits;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.partition.PartitionSpec;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The settings with which tasks land records in a {@link World}.
 *
 * @param partitioning the partitioning of every table
 * @param batchRecords the number of records of a flush
 * @param batchOffsetRanges the number of ranges of offsets without a landed record at which a batch
 *     ends
 * @param batchIntervalMs the longest time that a record waits for its flush
 * @param retainedEntries the number of log entries that folding leaves
 * @param nullValues the handling of tombstones
 * @param deadLettersInFlight the number of dead letters that may be unacknowledged at a time; 0
 *     without a dead letter topic
 * @param hivePartitions the number of Hive partitions that a batch may touch
 * @param files the limits at which a file ends before its batch
 * @param routes the tables to which the records of a topic go
 * @param wallclock true if the time at which a record is read selects its Hive partition
 * @param onRefusal the reaction of a task to records that their tables refuse
 * @param refusal the records that their tables refuse
 * @param shared true if the records of all topics land in the same tables
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
    boolean wallclock,
    OnRefusal onRefusal,
    Refusal refusal,
    boolean shared) {

  private static final long PARTITION_MS = 1_500;
  private static final int MANY_HIVE_PARTITIONS = 100;

  /**
   * A landing with one table for each topic, whole files, and many Hive partitions in a batch. The
   * records' fields select the Hive partition.
   */
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
        false,
        OnRefusal.STOP_TASK,
        Refusal.NONE,
        false);
  }

  /** The same landing, with files that end before their batch. */
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
        wallclock,
        onRefusal,
        refusal,
        shared);
  }

  /** The same landing, with records that go to several tables. */
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
        wallclock,
        onRefusal,
        refusal,
        shared);
  }

  /**
   * If tables are divided by time, a task commits at the end of a Hive partition, which is often.
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
