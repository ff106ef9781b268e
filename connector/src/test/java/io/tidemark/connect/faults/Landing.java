package io.tidemark.connect.faults;

import io.tidemark.connect.table.partition.PartitionSpec;

/**
 * How tasks land in a {@link World}.
 *
 * @param partitioning of every table
 * @param batchRecords records of a flush
 * @param batchIntervalMs the longest that a record waits for its flush
 * @param retainedEntries entries of a log that stay when older ones are folded
 */
record Landing(
    PartitionSpec partitioning, long batchRecords, long batchIntervalMs, int retainedEntries) {}
