package io.tidemark.connect.intake;

import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.staging.BatchIdentity;
import io.tidemark.connect.staging.BindingSnapshot;
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
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogState;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the records of a topic-partition, during one claim, to batches, one batch after another.
 * Decides for each record whether it lands, is skipped or is a dead letter. Called by the task's
 * thread only.
 *
 * <p>The class is long for speed: this one object handles a record that lands.
 */
public final class RecordIntake {
  private static final Logger LOG = LoggerFactory.getLogger(RecordIntake.class);

  private final TopicPartition topicPartition;
  private final TopicBindings topic;
  private final IntakeServices services;
  private final OpenedLog log;
  private final SchemaIdReader idReader;
  private final Optional<RowReader> rows;
  private final TopicPartitionProgress progress;
  private final PassedGaps gaps;
  private final boolean beyondEnd;
  private long expected;
  private @Nullable OpenBatch batch;

  // True if the previous record was delivered in the same put(). The consumer cannot have moved in
  // between.
  private boolean readOn;

  // Cached, because it is read for each record. Only a record that does not land, or the end of a
  // put(), can make it true.
  private boolean scattered;

  // The last schema id that was found, so that most records need no lookup.
  private BindingSnapshot lastBindings = BindingSnapshot.NONE;
  private @Nullable Framing lastFraming;

  /**
   * Creates an intake.
   *
   * @param gaps the missing offsets of this claim
   * @param begin the first offset that no entry of the log covers
   * @param progress is notified when a batch is discarded
   */
  public RecordIntake(
      TopicPartition topicPartition,
      TopicBindings topic,
      IntakeServices services,
      PassedGaps gaps,
      OpenedLog log,
      long begin,
      TopicPartitionProgress progress) {
    this.progress = progress;
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.services = services;
    this.log = log;
    this.idReader = topic.idReader();
    this.rows = topic.rowReader();
    this.gaps = gaps;
    this.expected = begin;
    this.beyondEnd = begin > log.retained().end();
    if (begin < log.retained().earliest()) {
      loseTo(log.retained().earliest());
    } else if (log.owned().state().next() == LogState.UNKNOWN && !beyondEnd) {
      // Open an empty batch: it records where the log begins, even if no record follows.
      batch();
    }
  }

  /**
   * Returns whether the log would begin beyond Kafka's end offset. Such a start offset belongs to
   * an earlier topic of this name.
   */
  public boolean beyondEnd() {
    return beyondEnd;
  }

  /** Returns the first offset that was not accepted yet. */
  public long expected() {
    return expected;
  }

  /**
   * Returns whether the consumer may have jumped over records before a delivered offset. If Kafka
   * has deleted the records at the consumer's position, the consumer moves according to {@code
   * auto.offset.reset}. With {@code latest} it jumps over records that Kafka still has. The
   * consumer does not move within a put(). A jump needs at least two offsets: a deleted one, and a
   * retained one after it.
   */
  public boolean mayHaveJumped(long offset) {
    return !readOn && offset > expected + 1;
  }

  /**
   * Adds the offsets of a gap to the batch, as not delivered or as lost.
   *
   * @param earliest Kafka's first offset, requested after the gap was found
   */
  public void decide(Passage passage, long earliest) {
    // PROBE means that the connector's own consumer has read this range, so Kafka had deleted none
    // of it.
    if (earliest > expected && passage.evidence() != Passage.Evidence.PROBE) {
      boolean recordIsHere = passage.evidence() == Passage.Evidence.NEXT_RECORD;
      loseTo(recordIsHere ? Math.min(earliest, passage.to()) : earliest);
    } else if (passage.to() > expected) {
      batch().pass(passage.to());
      expected = passage.to();
    }
  }

  private void loseTo(long earliest) {
    LOG.warn(
        "{}: Kafka has deleted the offsets {} to {} before they were read: their records are lost; continuing at {}",
        topicPartition,
        expected,
        earliest - 1,
        earliest);
    batch().lose(earliest);
    expected = earliest;
  }

  /** Ends a put(). The next put() may deliver records of another fetch. */
  public void endOfPut() {
    readOn = false;
    checkRanges();
  }

  /**
   * Adds a record to the open batch.
   *
   * @return the schema id that must be resolved first, if the record was not added
   * @throws RejectedRecordException if the record cannot land, and there is no dead letter topic
   */
  public Optional<SchemaId> take(IncomingRecord record) throws RejectedRecordException {
    passOverGap(record.offset());
    byte[] value = record.value();
    if (rows.isPresent() && (value != null || record.key() != null)) {
      return takeRow(rows.get(), record);
    }
    if (value == null) {
      takeNull(record);
      return Optional.empty();
    }
    Framing framing;
    try {
      framing = idReader.read(record.idHeader(), value);
    } catch (UnframedDatumException e) {
      reject(record, RejectedRecord.Kind.NO_SCHEMA_ID, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
    return takeFramed(record, framing, Optional.empty());
  }

  /** Adds a record of a table whose rows contain key and value. */
  private Optional<SchemaId> takeRow(RowReader reader, IncomingRecord record)
      throws RejectedRecordException {
    RowReader.Row row;
    try {
      row = reader.read(record);
    } catch (UnframedDatumException e) {
      reject(record, RejectedRecord.Kind.NO_SCHEMA_ID, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
    return takeFramed(record, row.framing(), Optional.of(row));
  }

  /**
   * Adds a record whose schema id and start of the datum are known. {@code row} is present if rows
   * contain the key.
   */
  private Optional<SchemaId> takeFramed(
      IncomingRecord record, Framing framing, Optional<RowReader.Row> row)
      throws RejectedRecordException {
    BindingSnapshot bindings = topic.bindings();
    Framing known = lastFraming;
    if (known == null || bindings != lastBindings || !framing.equals(known)) {
      SchemaId schemaId = framing.id();
      if (bindings.find(schemaId) == null) {
        return takeUnbound(schemaId, record);
      }
      lastBindings = bindings;
      lastFraming = framing;
      // Reuse one object for equal framings. Each record's own object would otherwise stay on the
      // heap as long as its chunk.
      known = framing;
    }
    if (row.isPresent()) {
      Optional<String> problem = rows.orElseThrow().problem(row.get());
      if (problem.isPresent()) {
        reject(record, RejectedRecord.Kind.DAMAGED, problem.get());
        return Optional.empty();
      }
    }
    batch().add(row.map(RowReader.Row::record).orElse(record), known, bindings);
    expected = record.offset() + 1;
    return Optional.empty();
  }

  private void takeNull(IncomingRecord record) throws RejectedRecordException {
    long offset = record.offset();
    switch (services.settings().nullValues()) {
      case FAIL ->
          throw new RejectedRecordException(
              new RecordPlace(topicPartition, offset),
              "the record has no value (a tombstone), so it has no row for the table. The topic is compacted, "
                  + "or the producer deletes by key. Set behavior.on.null.values=ignore or dead-letter, or move the "
                  + "connector's offset past this record.");
      case IGNORE -> {
        batch().skip(record);
        expected = offset + 1;
        checkRanges();
      }
      case DEAD_LETTER ->
          reject(
              record,
              RejectedRecord.Kind.NO_VALUE,
              "the record has no value (a tombstone), so it has no row for the table. The topic is compacted, or the "
                  + "producer deletes by key. With behavior.on.null.values=ignore such records are skipped.");
      case WRITE ->
          reject(
              record,
              RejectedRecord.Kind.NO_VALUE,
              "the record has neither key nor value, so it has no row for the table. Correct the producer, then "
                  + "skip this record by altering the connector's offsets, or send such records to a dead letter topic.");
    }
  }

  /**
   * Handles a record whose schema id has no binding: the id is not resolved yet, or its schema was
   * refused.
   */
  private Optional<SchemaId> takeUnbound(SchemaId schemaId, IncomingRecord record)
      throws RejectedRecordException {
    Optional<TopicBindings.Refusal> refusal =
        topic.refusal(schemaId, services.monotonic().millis());
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
    expected = record.offset() + 1;
    checkRanges();
  }

  private void passOverGap(long offset) {
    if (offset > expected) {
      if (readOn) {
        batch().pass(offset);
      } else {
        batch().miss(offset);
      }
      expected = offset;
      checkRanges();
    }
    readOn = true;
  }

  private OpenBatch batch() {
    OpenBatch open = batch;
    if (open == null) {
      open = newBatch(expected);
      batch = open;
    }
    return open;
  }

  private OpenBatch newBatch(long first) {
    Generation generation = log.owned().state().generation();
    return new OpenBatch(
        services.staging(),
        new BatchIdentity(
            UUID.randomUUID(),
            topicPartition,
            generation.number(),
            log.staging(),
            services.settings().offsetDigits()),
        new BatchDeadLetters(services.deadLetters()),
        first);
  }

  /**
   * Returns what is known about the missing offsets of this claim. The returned object may be read
   * by any thread.
   */
  public PassedGaps gaps() {
    return gaps;
  }

  /**
   * Requests Kafka's first offset if there are new gaps. Call this method at the end of each put().
   */
  public void requestFirstOffset() {
    if (batch != null) {
      gaps.met(batch.missingEnd());
    }
    gaps.requestFirstOffset(expected);
  }

  /** Returns the bytes that are not submitted yet. */
  public long unsubmittedBytes() {
    return batch == null ? 0 : batch.unsubmittedBytes();
  }

  /** Submits the chunk that is not full yet. */
  public void submitChunk() {
    if (batch != null) {
      batch.submitChunk();
    }
  }

  /** Returns whether a batch is open. */
  public boolean hasBatch() {
    return batch != null;
  }

  /** Returns whether a batch is open that has records, not only offsets without records. */
  public boolean hasRecords() {
    return batch != null && batch.hasRecords();
  }

  /**
   * Returns whether the batch should be flushed because its entry would become too long: it has
   * many ranges of offsets that do not land, or many closed files. Files, and dead letters of
   * staging threads, are counted at the end of a put(). Chunks in the queue may need as many files
   * again, so the limit here is half of the files that a batch may have. A batch that exceeds the
   * full limit is discarded and read again.
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
    OpenBatch open = batch;
    if (open == null) {
      return Optional.empty();
    }
    return failureOf(open.landed())
        .or(() -> failureOf(open.writing()))
        .or(() -> failureOf(open.deadLetterFailure()))
        .or(topic::contradiction);
  }

  private static Optional<Throwable> failureOf(CompletableFuture<?> step) {
    return step.isDone() ? StepFailure.of(step) : Optional.empty();
  }

  /** Ends the open batch, which must exist; the next record opens another. */
  public OpenBatch endBatch() {
    if (batch == null) {
      throw new IllegalStateException(topicPartition + ": there is no batch to end");
    }
    OpenBatch ended = batch;
    gaps.met(ended.missingEnd());
    batch = null;
    scattered = false;
    return ended;
  }

  /** Discards the open batch. */
  public void abandon() {
    if (batch != null) {
      batch.abandon();
      progress.discarded(batch.range().size());
      batch = null;
      scattered = false;
    }
  }
}
