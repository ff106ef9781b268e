package io.tidemark.connect.pipeline;

import io.tidemark.connect.batch.IncomingRecord;
import io.tidemark.connect.batch.RecordPlace;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.commit.entry.Generation;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.routing.BindingSnapshot;
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

/**
 * Takes the records of a topic-partition under one claim into batches, one batch after another, and
 * decides of each record whether it lands, is left out or is a dead letter. Used by the task's
 * thread only.
 */
final class RecordIntake {
  private final TopicPartition topicPartition;
  private final TopicBindings topic;
  private final PipelineServices services;
  private final OpenedLog log;
  private final SchemaIdReader idReader;
  private final PassedGaps gaps;
  private long expected;
  private @Nullable OpenBatch batch;

  // The last schema id that was found, so that the usual record needs no look-up.
  private BindingSnapshot lastBindings = BindingSnapshot.NONE;
  private @Nullable Framing lastFraming;

  RecordIntake(
      TopicPartition topicPartition,
      TopicBindings topic,
      PipelineServices services,
      OpenedLog log) {
    this.topicPartition = topicPartition;
    this.topic = topic;
    this.services = services;
    this.log = log;
    this.idReader = topic.idReader();
    this.gaps = new PassedGaps(topicPartition, services, log.retained().leaderEpoch());
    this.expected = log.owned().state().next();
  }

  /**
   * The first offset that was not taken in yet; {@link LogState#UNKNOWN} while the log is empty and
   * nothing has come.
   */
  long expected() {
    return expected;
  }

  /**
   * Takes a record in.
   *
   * @return the schema id that must be resolved first: the record was not taken in
   */
  Optional<SchemaId> take(IncomingRecord record) {
    byte[] value = record.value();
    if (value == null) {
      takeNull(record);
      return Optional.empty();
    }
    Framing framing;
    try {
      framing = idReader.read(record.idHeader(), value);
    } catch (UnframedDatumException e) {
      reject(record, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
    BindingSnapshot bindings = topic.bindings();
    Framing last = lastFraming;
    if (last != null && bindings == lastBindings && framing.equals(last)) {
      // One for all records that have the same: each would live as long as its chunk.
      framing = last;
    } else {
      SchemaId schemaId = framing.id();
      if (bindings.find(schemaId) == null) {
        return takeUnbound(schemaId, record);
      }
      lastBindings = bindings;
      lastFraming = framing;
    }
    batchAt(record.offset()).add(record, framing, bindings);
    expected = record.offset() + 1;
    return Optional.empty();
  }

  private void takeNull(IncomingRecord record) {
    long offset = record.offset();
    switch (services.settings().nullValues()) {
      case FAIL ->
          throw new LandingException(
              new RecordPlace(topicPartition, offset)
                  + ": the record has no value (a tombstone), and a table has no place for it. The topic is compacted, "
                  + "or the producer deletes by key. Set behavior.on.null.values=ignore or dead-letter, or move the "
                  + "connector's offset past this record.");
      case IGNORE -> {
        batchAt(offset).skip(offset);
        expected = offset + 1;
      }
      case DEAD_LETTER ->
          reject(
              record,
              "the record has no value (a tombstone), and a table has no place for it. The topic is compacted, or the "
                  + "producer deletes by key. With behavior.on.null.values=ignore such records would be left out.");
    }
  }

  /** A record of a schema id that is not bound: yet, or because it cannot be. */
  private Optional<SchemaId> takeUnbound(SchemaId schemaId, IncomingRecord record) {
    Optional<String> refusal = topic.refusal(schemaId, services.monotonic().millis());
    if (refusal.isEmpty()) {
      return Optional.of(schemaId);
    }
    reject(record, refusal.get());
    return Optional.empty();
  }

  private void reject(IncomingRecord record, String reason) {
    long offset = record.offset();
    RecordPlace place = new RecordPlace(topicPartition, offset);
    if (services.deadLetters().isEmpty()) {
      throw new LandingException(place + ": " + reason);
    }
    try {
      batchAt(offset)
          .reject(new RejectedRecord(place, reason, record.delivered(), record.bufferedBytes()));
    } catch (RejectedRecordException e) {
      throw new LandingException(String.valueOf(e.getMessage()), e);
    }
    expected = offset + 1;
  }

  private OpenBatch batchAt(long offset) {
    if (batch == null) {
      batch = newBatch(expected == LogState.UNKNOWN ? offset : expected);
    }
    return batch;
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
  PassedGaps gaps() {
    return gaps;
  }

  /** Has Kafka asked about offsets that were not delivered; to be called now and then. */
  void lookAtGaps() {
    if (batch != null) {
      gaps.met(batch.missingEnd());
    }
    gaps.look(expected);
  }

  /** The bytes that no worker has been given yet. */
  long unsubmittedBytes() {
    return batch == null ? 0 : batch.unsubmittedBytes();
  }

  /** Submits the chunk that is not full yet. */
  void submitChunk() {
    if (batch != null) {
      batch.submitChunk();
    }
  }

  /** A batch has begun. */
  boolean hasBatch() {
    return batch != null;
  }

  /** So many ranges of offsets that do not land are in the batch that its entry would grow long. */
  boolean scattered() {
    return batch != null && batch.ranges() >= services.settings().batchOffsetRanges();
  }

  /** Why the batch cannot be staged; empty while nothing is known against it. */
  Optional<Throwable> failure() {
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
  OpenBatch endBatch() {
    if (batch == null) {
      throw new IllegalStateException(topicPartition + ": there is no batch to end");
    }
    OpenBatch ended = batch;
    gaps.met(ended.missingEnd());
    batch = null;
    return ended;
  }

  /** Discards the batch that has not ended. */
  void abandon() {
    if (batch != null) {
      batch.abandon();
      batch = null;
    }
  }
}
