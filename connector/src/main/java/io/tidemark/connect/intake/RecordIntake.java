package io.tidemark.connect.intake;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.staging.BatchIdentity;
import io.tidemark.connect.staging.Bindings;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.staging.RowReader;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.registry.wire.UnframedDatumException;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.RecordPlace;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.commit.LogState;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the records of a topic-partition, during one claim, to batches, one batch after another.
 * Each record lands, is skipped or is a dead letter. Called by the task's thread only.
 *
 * <p>The class is long for speed: this one object handles a record that lands.
 */
public final class RecordIntake {
  private static final Logger LOG = LoggerFactory.getLogger(RecordIntake.class);

  private final TopicPartition topicPartition;
  private final TaskTopic topic;
  private final PipelineServices services;
  private final OpenedLog log;
  private final SchemaIdReader idReader;
  private final Optional<RowReader> rows;
  private final TopicPartitionProgress progress;
  private final LostOffsets lostOffsets;
  private final boolean beyondEnd;
  private long next;
  private @Nullable BatchBuilder batch;
  private long batchSinceMs;

  // Set by a commit, which runs on another thread.
  private volatile boolean topicEnded;

  // True if the previous record was in the same put(): the consumer has not moved in between.
  private boolean readOn;

  // Cached for each record. Only a record that does not land, or the end of a put(), can set it.
  private boolean scattered;

  // The last schema id that was found, so that most records need no lookup.
  private Bindings lastBindings = Bindings.NONE;
  private @Nullable Framing lastFraming;

  /** {@code begin} is the first offset that no entry of the log covers. */
  public RecordIntake(
      TopicPartition topicPartition,
      TaskTopic topic,
      PipelineServices services,
      OpenedLog log,
      long begin,
      TopicPartitionProgress progress) {
    this.progress = progress;
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.services = services;
    this.log = log;
    this.idReader = topic.binder().idReader();
    this.rows = topic.binder().rowReader();
    this.lostOffsets = new LostOffsets(topicPartition, services, log.retained().leaderEpoch());
    this.next = begin;
    this.beyondEnd = begin > log.retained().end();
    if (begin < log.retained().earliest()) {
      lose(log.retained().earliest());
    } else if (log.owned().state().next() == LogState.UNKNOWN && !beyondEnd) {
      // Open an empty batch: it records where the log begins, even if no record follows.
      batch();
    }
  }

  /** Returns whether the log would begin beyond Kafka's end: at an offset of an earlier topic. */
  public boolean beyondEnd() {
    return beyondEnd;
  }

  /** Returns the first offset that was not accepted yet. */
  public long next() {
    return next;
  }

  /**
   * Returns whether the consumer may have jumped over records before a delivered offset. If Kafka
   * has deleted the records at the consumer's position, the consumer moves according to {@code
   * auto.offset.reset}. With {@code latest} it jumps over records that Kafka still has. The
   * consumer does not move within a put(). A jump needs two offsets: a deleted and a retained one.
   */
  public boolean mayHaveJumped(long offset) {
    return !readOn && offset > next + 1;
  }

  /** Adds a gap; {@code earliest} is Kafka's first offset, requested after the gap was found. */
  public void loseOrPass(OffsetGap gap, long earliest) {
    // PROBE: the connector's own consumer has read this range, so Kafka had deleted none of it.
    if (earliest > next && gap.evidence() != OffsetGap.Evidence.PROBE) {
      boolean recordIsHere = gap.evidence() == OffsetGap.Evidence.NEXT_RECORD;
      lose(recordIsHere ? Math.min(earliest, gap.to()) : earliest);
    } else if (gap.to() > next) {
      lostOffsets.answered(gap.to(), Math.min(earliest, next));
      batch().miss(gap.to());
      next = gap.to();
    }
  }

  private void lose(long earliest) {
    LOG.warn(
        "{}: Kafka has deleted the offsets {} to {} before they were read: their records are lost; continuing at {}",
        topicPartition,
        next,
        earliest - 1,
        earliest);
    batch().lose(earliest);
    next = earliest;
  }

  /** Ends a put(). The next put() may deliver records of another fetch. */
  public void endOfPut() {
    readOn = false;
    checkRanges();
  }

  /** Adds a record, or returns the schema id to resolve first. Throws if it cannot land. */
  public Optional<SchemaId> take(IncomingRecord record) throws RejectedRecordException {
    passOverGap(record.offset());
    byte[] value = record.value();
    RowReader.Row row = null;
    Framing framing;
    try {
      if (rows.isPresent() && (value != null || record.key() != null)) {
        row = rows.get().read(record);
        framing = row.framing();
      } else if (value != null) {
        framing = idReader.read(record.idHeader(), value);
      } else {
        takeNull(record);
        return Optional.empty();
      }
    } catch (UnframedDatumException e) {
      reject(record, RejectedRecord.Kind.NO_SCHEMA_ID, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
    return takeFramed(record, framing, row);
  }

  /** Adds a record; {@code row} is present if the table's rows contain the key. */
  private Optional<SchemaId> takeFramed(
      IncomingRecord record, Framing framing, RowReader.@Nullable Row row)
      throws RejectedRecordException {
    Bindings bindings = topic.bindings();
    Framing known = lastFraming;
    if (known == null || bindings != lastBindings || !framing.equals(known)) {
      SchemaId schemaId = framing.id();
      if (bindings.find(schemaId) == null) {
        return takeUnbound(schemaId, record);
      }
      lastBindings = bindings;
      lastFraming = framing;
      // Reuse one object for equal framings: each own one would stay as long as its chunk.
      known = framing;
    }
    if (row != null) {
      Optional<String> problem = rows.orElseThrow().problem(row);
      if (problem.isPresent()) {
        reject(record, RejectedRecord.Kind.DAMAGED, problem.get());
        return Optional.empty();
      }
    }
    batch().add(row == null ? record : row.record(), known, bindings);
    next = record.offset() + 1;
    return Optional.empty();
  }

  private void takeNull(IncomingRecord record) throws RejectedRecordException {
    long offset = record.offset();
    switch (services.settings().nullValues()) {
      case FAIL ->
          throw new RejectedRecordException(
              new RecordPlace(topicPartition, offset),
              "the record has no value (a tombstone), so it has no row for the table. The topic is compacted, or the producer deletes by key. Set behavior.on.null.values=ignore or dead-letter, or move the connector's offset past this record.");
      case IGNORE -> {
        batch().skip(record);
        next = offset + 1;
        checkRanges();
      }
      case DEAD_LETTER ->
          reject(
              record,
              RejectedRecord.Kind.NO_VALUE,
              "the record has no value (a tombstone), so it has no row for the table. The topic is compacted, or the producer deletes by key. With behavior.on.null.values=ignore such records are skipped.");
      case WRITE ->
          reject(
              record,
              RejectedRecord.Kind.NO_VALUE,
              "the record has neither key nor value, so it has no row for the table. Correct the producer.");
    }
  }

  /** Handles a record whose schema id is not resolved yet, or whose schema was refused. */
  private Optional<SchemaId> takeUnbound(SchemaId schemaId, IncomingRecord record)
      throws RejectedRecordException {
    Optional<TaskTopic.Refusal> refusal = topic.refusal(schemaId, services.monotonic().millis());
    if (refusal.isEmpty()) {
      return Optional.of(schemaId);
    }
    reject(record, refusal.get().kind(), refusal.get().reason());
    return Optional.empty();
  }

  private void reject(IncomingRecord record, RejectedRecord.Kind kind, String reason)
      throws RejectedRecordException {
    if (services.deadLetters().isEmpty()) {
      throw new RejectedRecordException(new RecordPlace(topicPartition, record.offset()), reason);
    }
    batch().reject(record, kind, reason);
    next = record.offset() + 1;
    checkRanges();
  }

  private void passOverGap(long offset) {
    if (offset > next) {
      if (readOn) {
        batch().pass(offset);
      } else {
        batch().miss(offset);
      }
      next = offset;
      checkRanges();
    }
    readOn = true;
  }

  private BatchBuilder batch() {
    if (batch == null) {
      BatchIdentity identity =
          new BatchIdentity(
              UUID.randomUUID(),
              topicPartition,
              log.owned().state().generation().number(),
              log.staging(),
              services.settings().offsetDigits());
      BatchDeadLetters deadLetters = new BatchDeadLetters(services.deadLetters());
      batch = new BatchBuilder(services.staging(), identity, deadLetters, next);
      batchSinceMs = services.monotonic().millis();
    }
    return batch;
  }

  /** Returns the missing offsets of this claim, for any thread. */
  public LostOffsets lostOffsets() {
    return lostOffsets;
  }

  /** Requests Kafka's first offset if there are new gaps. Call it at the end of each put(). */
  public void requestFirstOffset() {
    if (batch != null) {
      lostOffsets.add(batch.missingEnd());
    }
    lostOffsets.requestFirstOffset(next);
  }

  public long unsubmittedBytes() {
    return batch == null ? 0 : batch.unsubmittedBytes();
  }

  public void submitChunk() {
    if (batch != null) {
      batch.submitChunk();
    }
  }

  public boolean hasBatch() {
    return batch != null;
  }

  /**
   * Returns whether the batch may wait for the next interval, because its files are below {@code
   * file.min.bytes}. The first batch of a log, which records where the log begins, does not wait.
   */
  public boolean mayWait() {
    PipelineSettings settings = services.settings();
    return hasRecords()
        && batch().fileBytes() < settings.fileMinBytes()
        && services.monotonic().millis() - batchSinceMs
            <= settings.fileMaxDelayMs() - settings.batchIntervalMs()
        && log.owned().state().next() != LogState.UNKNOWN;
  }

  /** Returns whether a batch is open that has records, not only gaps. */
  public boolean hasRecords() {
    return batch != null && batch.hasRecords();
  }

  /**
   * Returns whether the batch should be flushed because its entry would become too long: it has
   * many ranges of offsets that do not land, or many closed files. Chunks in the queue may need as
   * many files again, so the limit here is half of the files that a batch may have. A batch that
   * exceeds the full limit is discarded and read again.
   */
  public boolean scattered() {
    return scattered;
  }

  private void checkRanges() {
    scattered =
        batch != null
            && (batch.ranges() >= services.settings().batchOffsetRanges()
                || 2L * batch.rolledFiles() > services.staging().settings().batchFiles());
  }

  /** Returns why the batch cannot be staged; empty if there is no failure so far. */
  public Optional<Throwable> failure() {
    return batch == null ? Optional.empty() : batch.failure().or(topic::contradiction);
  }

  /** Notes, on any thread, that Kafka no longer has the topic: later records may be of another. */
  public void endTopic() {
    topicEnded = true;
  }

  public boolean topicEnded() {
    return topicEnded;
  }

  /** Ends the open batch, which must exist; the next record opens another. */
  public BatchBuilder endBatch() {
    if (batch == null) {
      throw new IllegalStateException(topicPartition + ": there is no batch to end");
    }
    BatchBuilder ended = batch;
    lostOffsets.add(ended.missingEnd());
    batch = null;
    scattered = false;
    return ended;
  }

  public void abandon() {
    if (batch != null) {
      batch.abandon();
      progress.discarded(batch.range().size());
      batch = null;
      scattered = false;
    }
  }
}
