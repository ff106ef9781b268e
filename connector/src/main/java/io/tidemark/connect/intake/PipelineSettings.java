package io.tidemark.connect.intake;

import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.log.OperatorConsent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The settings of a task. To land a record means to write it to a staged file of its table and to
 * commit its batch.
 *
 * @param logId the name of the log directory ({@code log.id})
 * @param claimant the name of this task, for messages
 * @param batchRecords records of a flush over all topic-partitions of the task
 * @param batchBytes bytes of a flush, as delivered by Kafka
 * @param batchOffsetRanges maximum number of offset ranges of a batch that do not land; the task
 *     then flushes
 * @param batchIntervalMs the longest time from the opening of a flush's first batch to the flush,
 *     in milliseconds
 * @param closeTimeoutMs the longest time for which close() waits for running commits
 * @param backoffMs the longest pause between attempts to call a service
 * @param registrationBacklog the number of files of published batches that wait for the catalog, at
 *     which the task pauses
 * @param retainedEntries number of entries of a log that are retained when older entries are folded
 * @param offsetDigits the minimum number of digits of an offset in a file's name
 * @param nullValues the effect of a record without a value
 * @param deadLettersInFlight maximum number of dead letters that wait for their acknowledgement;
 *     the task then pauses
 * @param deadLetterTimeoutMs the longest wait for an acknowledgement
 * @param clusterProofTimeoutMs the longest wait of a claim for the proof that consumer and client
 *     use one Kafka cluster
 * @param tailIntervalMs the minimum interval between requests for the end offsets of the
 *     topic-partitions that wait for records
 * @param partitionEnds the times of additional commits after the ends of Hive partitions; empty if
 *     no table is partitioned by time, or if these commits are switched off
 * @param flushSchedule the times of the day of additional flushes
 * @param recordsPerSecond the maximum number of records that the task accepts per second; 0 for no
 *     limit
 * @param consent the steps to which an operator has consented
 * @param onRefusal the effect of a refusal by a topic's tables
 * @param refusalDeadline the time for which a service may refuse requests before the task fails; 0
 *     for no limit
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
    Duration refusalDeadline) {

  /**
   * Creates settings of a log directory and a task; {@code values} sets all others.
   *
   * @param logId the name of the log directory
   * @param claimant the name of the task
   */
  public static PipelineSettings of(String logId, Claimant claimant, Consumer<Draft> values) {
    Draft draft = new Draft();
    values.accept(draft);
    return new PipelineSettings(
        logId,
        claimant,
        draft.batchRecords,
        draft.batchBytes,
        draft.batchOffsetRanges,
        draft.batchIntervalMs,
        draft.closeTimeoutMs,
        draft.backoffMs,
        draft.registrationBacklog,
        draft.retainedEntries,
        draft.offsetDigits,
        draft.nullValues,
        draft.deadLettersInFlight,
        draft.deadLetterTimeoutMs,
        draft.clusterProofTimeoutMs,
        draft.tailIntervalMs,
        draft.partitionEnds,
        draft.flushSchedule,
        draft.recordsPerSecond,
        draft.consent,
        draft.onRefusal,
        draft.refusalDeadline);
  }

  /** The values of settings by their names, while settings are made. */
  public static final class Draft {
    public long batchRecords;
    public long batchBytes;
    public int batchOffsetRanges;
    public long batchIntervalMs;
    public long closeTimeoutMs;
    public long backoffMs;
    public int registrationBacklog;
    public int retainedEntries;
    public int offsetDigits;
    public NullValues nullValues = NullValues.FAIL;
    public int deadLettersInFlight;
    public long deadLetterTimeoutMs;
    public long clusterProofTimeoutMs;
    public long tailIntervalMs;
    public Optional<PartitionEnds> partitionEnds = Optional.empty();
    public Optional<FlushSchedule> flushSchedule = Optional.empty();
    public long recordsPerSecond;
    public OperatorConsent consent = OperatorConsent.NONE;
    public OnRefusal onRefusal = OnRefusal.STOP_TASK;
    public Duration refusalDeadline = Duration.ZERO;

    private Draft() {}
  }
}
