package io.tidemark.connect.intake;

import io.tidemark.store.batch.NullValues;
import io.tidemark.store.batch.OnRefusal;
import io.tidemark.store.commit.Claimant;
import io.tidemark.store.log.OperatorConsent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The values of a task's settings by their names; those that a test does not set are 0 or empty.
 */
public final class SettingsDraft {
  public long batchRecords;
  public long batchBytes;
  public int batchOffsetRanges;
  public long batchIntervalMs;
  public long fileMinBytes;
  public long fileMaxDelayMs;
  public long closeTimeoutMs;
  public long backoffMs;
  public int registrationBacklog;
  public int retainedEntries;
  public int offsetDigits;
  public NullValues nullValues = NullValues.FAIL;
  public int deadLettersInFlight;
  public long deadLetterTimeoutMs;
  public long clusterCheckTimeoutMs;
  public long endCheckIntervalMs;
  public Optional<PartitionEnds> partitionEnds = Optional.empty();
  public Optional<FlushSchedule> flushSchedule = Optional.empty();
  public long recordsPerSecond;
  public OperatorConsent consent = OperatorConsent.NONE;
  public OnRefusal onRefusal = OnRefusal.STOP_TASK;
  public Duration refusalDeadline = Duration.ZERO;

  private SettingsDraft() {}

  /** Creates settings; {@code values} sets all others. */
  public static PipelineSettings settings(
      String logId, Claimant claimant, Consumer<SettingsDraft> values) {
    SettingsDraft draft = new SettingsDraft();
    values.accept(draft);
    return new PipelineSettings(
        logId,
        claimant,
        draft.batchRecords,
        draft.batchBytes,
        draft.batchOffsetRanges,
        draft.batchIntervalMs,
        draft.fileMinBytes,
        draft.fileMaxDelayMs,
        draft.closeTimeoutMs,
        draft.backoffMs,
        draft.registrationBacklog,
        draft.retainedEntries,
        draft.offsetDigits,
        draft.nullValues,
        draft.deadLettersInFlight,
        draft.deadLetterTimeoutMs,
        draft.clusterCheckTimeoutMs,
        draft.endCheckIntervalMs,
        draft.partitionEnds,
        draft.flushSchedule,
        draft.recordsPerSecond,
        draft.consent,
        draft.onRefusal,
        draft.refusalDeadline);
  }
}
