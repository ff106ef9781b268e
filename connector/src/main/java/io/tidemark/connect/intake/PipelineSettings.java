package io.tidemark.connect.intake;

import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.log.OperatorConsent;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of a task.
 *
 * @param logId the name of the log directory ({@code log.id})
 * @param batchRecords records of a flush over all topic-partitions of the task
 * @param batchBytes bytes of a flush, as delivered by Kafka
 * @param batchOffsetRanges offset ranges of a batch that do not land, at which the task flushes
 * @param batchIntervalMs the longest time from the opening of a flush's first batch to the flush
 * @param closeTimeoutMs the longest time for which close() waits for running commits
 * @param backoffMs the longest pause between attempts to call a service
 * @param registrationBacklog published files that wait for the catalog, at which the task pauses
 * @param retainedEntries entries of a log that are retained when older ones are folded
 * @param offsetDigits the minimum number of digits of an offset in a file's name
 * @param deadLettersInFlight dead letters without acknowledgement, at which the task pauses
 * @param deadLetterTimeoutMs the longest wait for an acknowledgement
 * @param clusterCheckTimeoutMs the longest wait of a claim for the check of the Kafka cluster
 * @param endCheckIntervalMs the minimum interval between requests for end offsets
 * @param partitionEnds the times of additional commits after the ends of Hive partitions; empty if
 *     no table is partitioned by time, or if these commits are switched off
 * @param flushSchedule the times of the day of additional flushes
 * @param recordsPerSecond the most records that the task accepts per second; 0 for no limit
 * @param refusalDeadline the time for which a service may refuse requests; 0 for no limit
 */
public record PipelineSettings(
    String logId,
    Claimant claimant,
    long batchRecords,
    long batchBytes,
    int batchOffsetRanges,
    long batchIntervalMs,
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
    Duration refusalDeadline) {}
