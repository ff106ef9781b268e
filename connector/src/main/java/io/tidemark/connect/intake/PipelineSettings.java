package io.tidemark.connect.intake;

import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.log.OperatorConsent;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a task: the values of the keys with these names, which docs/CONFIG.md describes.
 *
 * @param logId the name of the log directory ({@code log.id})
 * @param closeTimeoutMs {@code shutdown.timeout.ms}
 * @param offsetDigits {@code filename.offset.zero.pad.width}
 * @param partitionEnds empty if no table is partitioned by time, or if these commits are off
 * @param recordsPerSecond 0 for no limit
 * @param refusalDeadline 0 for no limit
 */
public record PipelineSettings(
    String logId,
    Claimant claimant,
    long batchRecords,
    long batchBytes,
    int batchOffsetRanges,
    long batchIntervalMs,
    long fileMinBytes,
    long fileMaxDelayMs,
    long closeTimeoutMs,
    long backoffMs,
    int registrationBacklog,
    int retainedEntries,
    int offsetDigits,
    NullValues nullValues,
    int deadLettersInFlight,
    long deadLetterTimeoutMs,
    long clusterCheckTimeoutMs,
    long endCheckIntervalMs,
    Optional<PartitionEnds> partitionEnds,
    Optional<FlushSchedule> flushSchedule,
    long recordsPerSecond,
    OperatorConsent consent,
    OnRefusal onRefusal,
    Duration refusalDeadline) {

  /** Returns the longest time in milliseconds that a record waits for its flush. */
  public long longestWaitMs() {
    return fileMinBytes == 0 ? batchIntervalMs : Math.max(batchIntervalMs, fileMaxDelayMs);
  }
}
