package io.tidemark.connect.pipeline.setting;

import io.tidemark.connect.batch.NullValues;
import io.tidemark.connect.batch.OnRefusal;
import io.tidemark.connect.commit.entry.Claimant;
import io.tidemark.connect.storage.log.OperatorConsent;
import java.time.Duration;
import java.util.Optional;

/**
 * How a task lands records.
 *
 * @param logId the name of the log, under which its directories stand
 * @param claimant who this task is, for messages
 * @param batchRecords records of a flush over all topic-partitions of the task
 * @param batchBytes bytes of a flush, as delivered by Kafka
 * @param batchOffsetRanges ranges of offsets of a batch that do not land; with so many the task
 *     flushes
 * @param batchIntervalMs the longest that a record waits for its flush
 * @param closeTimeoutMs the longest that close() waits for what is under way
 * @param backoffMs the longest pause between tries of a service
 * @param registrationBacklog files of published batches that may wait for the catalog before the
 *     task pauses
 * @param retainedEntries entries of a log that stay when older ones are folded
 * @param offsetDigits the least digits of an offset in a file's name
 * @param nullValues what a record without a value does
 * @param deadLettersInFlight dead letters that are sent and wait for their acknowledgement; with so
 *     many on their way the task pauses
 * @param deadLetterTimeoutMs the longest that an acknowledgement is waited for
 * @param clusterProofTimeoutMs the longest that a claim may wait for the proof that records and
 *     answers come from one Kafka cluster
 * @param tailIntervalMs so often at most Kafka is asked for the end offsets of the topic-partitions
 *     that wait for records
 * @param partitionEnds when to commit besides, as a Hive partition has ended; none where tables are
 *     not divided by time, or where {@code batchIntervalMs} alone is to rule
 * @param flushSchedule the times of the day at which the task flushes besides
 * @param recordsPerSecond how many records the task takes in; 0 for no limit
 * @param consent what an operator has agreed to
 * @param onRefusal what a refusal by a topic's tables does
 * @param refusalDeadline how long a service may refuse before the task fails; 0 for ever
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
    long clusterProofTimeoutMs,
    long tailIntervalMs,
    Optional<PartitionEnds> partitionEnds,
    Optional<FlushSchedule> flushSchedule,
    long recordsPerSecond,
    OperatorConsent consent,
    OnRefusal onRefusal,
    Duration refusalDeadline) {}
