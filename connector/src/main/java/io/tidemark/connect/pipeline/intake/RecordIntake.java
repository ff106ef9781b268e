package io.tidemark.connect.pipeline.intake;

import io.tidemark.connect.batch.IncomingRecord;
import io.tidemark.connect.batch.RecordPlace;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.commit.entry.Generation;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.health.TopicPartitionProgress;
import io.tidemark.connect.pipeline.deadletter.BatchDeadLetters;
import io.tidemark.connect.pipeline.opening.OpenedLog;
import io.tidemark.connect.pipeline.retry.StepFailure;
import io.tidemark.connect.routing.BindingSnapshot;
import io.tidemark.connect.routing.RowReader;
import io.tidemark.connect.staging.BatchIdentity;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.wire.Framing;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.registry.wire.UnframedDatumException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the records of a topic-partition under one claim into batches, one batch after another, and
 * decides of each record whether it lands, is left out or is a dead letter. Used by the task's
 * thread only.
 */
public final class RecordIntake {
  private static final Logger LOG = LoggerFactory.getLogger(RecordIntake.class);

  private final TopicPartition topicPartition;
  private final TopicBindings topic;
  private final PipelineServices services;
  private final OpenedLog log;
  private final SchemaIdReader idReader;
  private final Optional<RowReader> rows;
  private final TopicPartitionProgress progress;
  private final PassedGaps gaps;
  private final boolean beyondEnd;
  private long expected;
  private @Nullable OpenBatch batch;

  // The record before was delivered in the same put(), so the consumer read on from there.
  private boolean readOn;

  // Looked at for each record, so it is kept: only what does not land, or the end of a put(), can
  // make it true.
  private boolean scattered;

  // The last schema id that was found, so that the usual record needs no look-up.
  private BindingSnapshot lastBindings = BindingSnapshot.NONE;
  private @Nullable Framing lastFraming;

  /**
   * Begins to take records in.
   *
   * @param begin the first offset that no entry of the log covers
   * @param progress is told of a batch that is discarded
   */
  public RecordIntake(
      TopicPartition topicPartition,
      TopicBindings topic,
      PipelineServices services,
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
    this.gaps = new PassedGaps(topicPartition, services, log.retained().leaderEpoch());
    this.expected = begin;
    this.beyondEnd = begin > log.retained().end();
    if (begin < log.retained().earliest()) {
      loseTo(log.retained().earliest());
    } else if (log.owned().state().next() == LogState.UNKNOWN && !beyondEnd) {
      // A batch of no offsets: the log is to say where it begins, also if nothing ever comes.
      batch();
    }
  }

  /** The log was to begin at an offset that Kafka did not have yet: it is not of this topic. */
  public boolean beyondEnd() {
    return beyondEnd;
  }

  /** The first offset that was not taken in yet. */
  public long expected() {
    return expected;
  }

  /**
   * Whether the consumer may have jumped over records to an offset that it has delivered. Where
   * Kafka has deleted the records at its position, it goes where {@code auto.offset.reset} says,
   * and {@code latest} is behind records that Kafka still has. It does not jump within a put(), and
   * a single offset holds no deleted record and another one behind it.
   */
  public boolean mayHaveJumped(long offset) {
    return !readOn && offset > expected + 1;
  }

  /**
   * Decides about offsets of which no record was taken in.
   *
   * @param earliest Kafka's first offset, asked for when the passage was known
   */
  public void decide(Passage passage, long earliest) {
    // Where somebody has looked, Kafka had all of them then.
    if (earliest > expected && passage.evidence() != Passage.Evidence.LOOK) {
      boolean recordIsHere = passage.evidence() == Passage.Evidence.RECORD_BEHIND;
      loseTo(recordIsHere ? Math.min(earliest, passage.to()) : earliest);
    } else if (passage.to() > expected) {
      batch().pass(passage.to());
      expected = passage.to();
    }
  }

  private void loseTo(long earliest) {
    LOG.warn(
        "{}: Kafka no longer has the offsets {} to {}: what they held is lost; reading goes on at {}",
        topicPartition,
        expected,
        earliest - 1,
        earliest);
    batch().lose(earliest);
    expected = earliest;
  }

  /** Notes that a put() ends: what the next one delivers may be of another fetch. */
  public void endOfPut() {
    readOn = false;
    lookAtRanges();
  }

  /**
   * Takes a record in.
   *
   * @return the schema id that must be resolved first: the record was not taken in
   * @throws RejectedRecordException it cannot land, and there is no dead letter topic
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

  /** Takes a record in whose key and value make the row. */
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

  /** {@code row} where the record's key is part of it. */
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
      // One for all records that have the same: each would live as long as its chunk.
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
              "the record has no value (a tombstone), and a table has no place for it. The topic is compacted, "
                  + "or the producer deletes by key. Set behavior.on.null.values=ignore or dead-letter, or move the "
                  + "connector's offset past this record.");
      case IGNORE -> {
        batch().skip(record);
        expected = offset + 1;
        lookAtRanges();
      }
      case DEAD_LETTER ->
          reject(
              record,
              RejectedRecord.Kind.NO_VALUE,
              "the record has no value (a tombstone), and a table has no place for it. The topic is compacted, or the "
                  + "producer deletes by key. With behavior.on.null.values=ignore such records would be left out.");
      case WRITE ->
          reject(
              record,
              RejectedRecord.Kind.NO_VALUE,
              "the record has neither key nor value, so there is nothing that a row could say. Correct the producer, then "
                  + "skip this record by altering the connector's offsets, or send such records to a dead letter topic.");
    }
  }

  /** A record of a schema id that is not bound: yet, or because it cannot be. */
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
    lookAtRanges();
  }

  private void passOverGap(long offset) {
    if (offset > expected) {
      if (readOn) {
        batch().pass(offset);
      } else {
        batch().miss(offset);
      }
      expected = offset;
      lookAtRanges();
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

  /** What is known of the offsets that were not delivered; safe for use by any thread. */
  public PassedGaps gaps() {
    return gaps;
  }

  /** Has Kafka asked about offsets that were not delivered; to be called now and then. */
  public void lookAtGaps() {
    if (batch != null) {
      gaps.met(batch.missingEnd());
    }
    gaps.look(expected);
  }

  /** The bytes that no worker has been given yet. */
  public long unsubmittedBytes() {
    return batch == null ? 0 : batch.unsubmittedBytes();
  }

  /** Submits the chunk that is not full yet. */
  public void submitChunk() {
    if (batch != null) {
      batch.submitChunk();
    }
  }

  /** A batch has begun. */
  public boolean hasBatch() {
    return batch != null;
  }

  /** A batch has begun that has records, not only offsets that were passed over. */
  public boolean hasRecords() {
    return batch != null && batch.hasRecords();
  }

  /**
   * So many ranges of offsets that do not land, or so many files that have ended, are in the batch
   * that its entry would grow long. Dead letters that a worker found, and files, are counted from
   * the end of the put() on. What is on its way to the files may be as much again, so half of the
   * files that a batch may have are enough: it should not have to be read again.
   */
  public boolean scattered() {
    return scattered;
  }

  private void lookAtRanges() {
    scattered =
        batch != null
            && (batch.ranges() >= services.settings().batchOffsetRanges()
                || 2L * batch.rolledFiles() > services.staging().settings().batchFiles());
  }

  /** Why the batch cannot be staged; empty while nothing is known against it. */
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

  /** Ends the batch; the next record begins another. There must be one. */
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

  /** Discards the batch that has not ended. */
  public void abandon() {
    if (batch != null) {
      batch.abandon();
      progress.discarded(batch.range().size());
      batch = null;
      scattered = false;
    }
  }
}
