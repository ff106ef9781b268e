package io.tidemark.connect.intake;

import io.tidemark.connect.staging.BatchIdentity;
import io.tidemark.connect.staging.BatchStager;
import io.tidemark.connect.staging.Bindings;
import io.tidemark.connect.staging.RecordChunk;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.staging.StagedBatch;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.connect.staging.StagingSettings;
import io.tidemark.registry.wire.Framing;
import io.tidemark.store.PrintableText;
import io.tidemark.store.batch.BatchIdCounter;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetCollector;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordPlace;
import io.tidemark.store.batch.RejectedRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds a batch, in chunks for the staging threads. Called by the task's thread only. */
public final class BatchBuilder {
  private static final Logger LOG = LoggerFactory.getLogger(BatchBuilder.class);
  private static final int FIRST_CHUNK_RECORDS = 256;

  private final StagingSettings settings;
  private final BatchStager stager;
  private final BatchIdentity identity;
  private final long first;
  private final BatchDeadLetters deadLetters;
  private final AnnouncedRecords announced;
  private final OffsetCollector missing = new OffsetCollector();
  private final OffsetCollector notDelivered = new OffsetCollector();
  private final OffsetCollector lost = new OffsetCollector();
  private final OffsetCollector skipped = new OffsetCollector();
  private long next;
  private boolean hasRecords;
  private RecordChunk chunk;
  private Bindings bindings = Bindings.NONE;

  BatchBuilder(
      StagingResources staging, BatchIdentity identity, BatchDeadLetters deadLetters, long first) {
    this.settings = staging.settings();
    this.stager = new BatchStager(staging, identity, deadLetters);
    this.deadLetters = deadLetters;
    this.identity = identity;
    this.announced = new AnnouncedRecords(identity.topicPartition());
    this.first = first;
    this.next = first;
    this.chunk =
        new RecordChunk(
            identity.topicPartition(), Math.min(settings.chunkRecords(), FIRST_CHUNK_RECORDS));
  }

  /**
   * A batch that accepts no more records, with its files staged and its dead letters acknowledged.
   * It is not decided yet whether the {@code missing} offsets are lost or not delivered.
   */
  public record SealedBatch(
      StagedBatch staged,
      OffsetRange range,
      NotLanded notLanded,
      OffsetRanges missing,
      BatchIdCounts batchIds) {}

  /** Adds a record; {@code current} has a binding for the record's schema id. */
  void add(IncomingRecord record, Framing framing, Bindings current) {
    reach(record.offset());
    if (current != bindings && !current.includes(bindings)) {
      // Bindings were evicted, perhaps those of earlier records in the chunk.
      submitChunk();
    }
    bindings = current;
    chunk.add(record, framing);
    BatchIdCounter counter = announced.take(record, framing, bindings);
    if (counter != null) {
      chunk.countLast(counter);
    }
    if (chunk.size() >= settings.chunkRecords() || chunk.bufferedBytes() >= settings.chunkBytes()) {
      submitChunk();
    }
  }

  void skip(IncomingRecord record) {
    long offset = record.offset();
    reach(offset);
    skipped.add(offset, offset + 1);
    announced.skip(record);
  }

  void reject(IncomingRecord record, RejectedRecord.Kind kind, String reason)
      throws RejectedRecordException {
    deadLetters.take(
        new RejectedRecord(
            new RecordPlace(identity.topicPartition(), record.offset()),
            kind,
            reason,
            record.delivered(),
            record.bufferedBytes() + reason.length(),
            announced.reject(record)));
    reach(record.offset());
  }

  /** Adds the offsets below {@code to}: whether they are lost or not delivered is decided later. */
  void miss(long to) {
    missing.add(next, to);
    next = to;
  }

  void pass(long to) {
    notDelivered.add(next, to);
    next = to;
  }

  /** Adds the offsets below {@code to} as lost: Kafka has deleted them. */
  void lose(long to) {
    lost.add(next, to);
    next = to;
  }

  private void reach(long offset) {
    if (offset != next) {
      throw new IllegalStateException(
          identity.topicPartition() + ": offset " + offset + " does not follow " + next);
    }
    next = offset + 1;
    hasRecords = true;
  }

  /** Returns whether records of this batch were delivered, even if they do not land. */
  boolean hasRecords() {
    return hasRecords;
  }

  void submitChunk() {
    if (chunk.size() > 0) {
      stager.submit(chunk, bindings);
      // Most chunks are as large as the previous one.
      chunk = new RecordChunk(identity.topicPartition(), chunk.size() + chunk.size() / 16);
    }
  }

  /** Returns the maximum number of ranges in the entry; each dead letter counts as one. */
  int ranges() {
    return missing.size()
        + notDelivered.size()
        + lost.size()
        + skipped.size()
        + deadLetters.taken();
  }

  int rolledFiles() {
    return stager.rolledFiles();
  }

  /** Returns the size of the largest file, with the records that are not submitted yet. */
  long fileBytes() {
    return stager.fileBytes() + unsubmittedBytes();
  }

  long unsubmittedBytes() {
    return chunk.bufferedBytes();
  }

  /** Returns why the batch cannot be staged; empty if there is no failure so far. */
  Optional<Throwable> failure() {
    return Stream.of(stager.appended(), stager.writing(), deadLetters.result())
        .flatMap(step -> StepFailure.of(step).stream())
        .findFirst();
  }

  public OffsetRange range() {
    return new OffsetRange(first, next);
  }

  /** Ends the batch. Completes when its files are durable and its dead letters acknowledged. */
  public CompletableFuture<SealedBatch> seal() {
    submitChunk();
    return stager
        .finish()
        .thenCompose(
            staged ->
                deadLetters.complete().thenApply(deadLettered -> sealed(staged, deadLettered)));
  }

  private SealedBatch sealed(StagedBatch staged, OffsetRanges deadLettered) {
    return new SealedBatch(
        staged,
        range(),
        new NotLanded(deadLettered, skipped.ranges(), notDelivered.ranges(), lost.ranges()),
        missing.ranges(),
        announced.counts());
  }

  /** Returns the last of the missing offsets plus one; 0 if there are none. */
  long missingEnd() {
    return missing.end();
  }

  public void abandon() {
    deadLetters.abandon();
    // A stream that does not close is only logged: the next claim deletes the file.
    CompletableFuture<Void> reported =
        stager
            .abandon()
            .exceptionally(
                failure -> {
                  LOG.info(
                      "{}: discarding a batch: {}",
                      identity.topicPartition(),
                      PrintableText.of(failure));
                  return null;
                });
    LOG.debug(
        "{}: discarding the batch at {} (finished: {})",
        identity.topicPartition(),
        first,
        reported.isDone());
  }
}
