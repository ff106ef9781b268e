package io.tidemark.connect.intake;

import io.tidemark.connect.staging.BatchIdentity;
import io.tidemark.connect.staging.BatchStager;
import io.tidemark.connect.staging.BindingSnapshot;
import io.tidemark.connect.staging.RecordChunk;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.staging.StagedBatch;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.connect.staging.StagingSettings;
import io.tidemark.registry.wire.Framing;
import io.tidemark.store.PrintableText;
import io.tidemark.store.batch.BatchId;
import io.tidemark.store.batch.BatchIdCounter;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.IncomingRecord;
import io.tidemark.store.batch.OffsetCollector;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordPlace;
import io.tidemark.store.batch.RejectedRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open batch of a topic-partition. Divides its records into chunks and submits the chunks to
 * the staging threads. Called by the task's thread only.
 */
public final class OpenBatch {
  private static final Logger LOG = LoggerFactory.getLogger(OpenBatch.class);
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
  private BindingSnapshot bindings = BindingSnapshot.NONE;

  /** Opens a batch. {@code first} is the first offset that is not in an entry yet. */
  OpenBatch(
      StagingResources resources,
      BatchIdentity identity,
      BatchDeadLetters deadLetters,
      long first) {
    this.settings = resources.settings();
    this.stager = new BatchStager(resources, identity, deadLetters);
    this.deadLetters = deadLetters;
    this.identity = identity;
    this.announced = new AnnouncedRecords(identity.topicPartition());
    this.first = first;
    this.next = first;
    this.chunk =
        new RecordChunk(
            identity.topicPartition(), Math.min(settings.chunkRecords(), FIRST_CHUNK_RECORDS));
  }

  /** Adds a record; {@code current} has a binding for the record's schema id. */
  void add(IncomingRecord record, Framing framing, BindingSnapshot current) {
    reach(record.offset());
    if (current != bindings && !current.includes(bindings)) {
      // Bindings were evicted, perhaps those of earlier records in the chunk.
      submitChunk();
    }
    bindings = current;
    chunk.add(record, framing);
    BatchId batchId = record.batchId();
    if (batchId != null) {
      count(batchId, record.offset(), framing);
    }
    if (chunk.size() >= settings.chunkRecords() || chunk.bufferedBytes() >= settings.chunkBytes()) {
      submitChunk();
    }
  }

  private void count(BatchId batchId, long offset, Framing framing) {
    BatchIdCounter counter = announced.take(batchId, offset, framing, bindings);
    if (counter != null) {
      chunk.countLast(counter);
    }
  }

  /** Skips a record, by a configured policy. */
  void skip(IncomingRecord record) {
    long offset = record.offset();
    reach(offset);
    skipped.add(offset, offset + 1);
    BatchId batchId = record.batchId();
    if (batchId != null) {
      announced.skip(batchId, offset);
    }
  }

  /** Adds a record that cannot land. */
  void reject(IncomingRecord record, RejectedRecord.Kind kind, String reason)
      throws RejectedRecordException {
    BatchId batchId = record.batchId();
    deadLetters.take(
        new RejectedRecord(
            new RecordPlace(identity.topicPartition(), record.offset()),
            kind,
            reason,
            record.delivered(),
            record.bufferedBytes(),
            batchId == null ? Optional.empty() : announced.reject(batchId, record.offset())));
    reach(record.offset());
  }

  /**
   * Adds the offsets below {@code to} as missing. Whether they are of the class lost or not
   * delivered is decided later.
   */
  void miss(long to) {
    missing.add(next, to);
    next = to;
  }

  /** Adds the offsets below {@code to} to the class not delivered. */
  void pass(long to) {
    notDelivered.add(next, to);
    next = to;
  }

  /**
   * Adds the offsets below {@code to} as lost: Kafka has deleted them, and they may have had
   * records.
   */
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

  /** Submits the chunk that is not full yet. */
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

  /** Returns the number of files of the batch that are closed because they reached a limit. */
  int rolledFiles() {
    return stager.rolledFiles();
  }

  BatchIdentity identity() {
    return identity;
  }

  /** Returns the bytes that are not submitted yet. */
  long unsubmittedBytes() {
    return chunk.bufferedBytes();
  }

  /**
   * Returns a future that completes when a chunk has failed, or when all submitted chunks are
   * written.
   */
  CompletableFuture<Void> landed() {
    return stager.appended();
  }

  /** Returns a future that fails when a file cannot be written, and never completes otherwise. */
  CompletableFuture<Void> writing() {
    return stager.writing();
  }

  /**
   * Returns a future that fails when a dead letter is refused. Otherwise it completes after the end
   * of the batch, when all dead letters are acknowledged.
   */
  CompletableFuture<OffsetRanges> deadLetterFailure() {
    return deadLetters.result();
  }

  /**
   * Ends the batch, which then accepts no more records. The returned future completes when the
   * files of the batch are durable.
   */
  public CompletableFuture<StagedBatch> stage() {
    submitChunk();
    return stager.finish();
  }

  /** Returns the offsets of acknowledged dead letters. The batch must have ended. */
  public CompletableFuture<OffsetRanges> deadLettersAcknowledged() {
    return deadLetters.complete();
  }

  /** Returns the offsets that the batch covers so far. */
  public OffsetRange range() {
    return new OffsetRange(first, next);
  }

  /** Returns the offsets of records that a configured policy skipped. */
  public OffsetRanges skipped() {
    return skipped.ranges();
  }

  /**
   * Returns the counts of announced batches. Call this method when all files are staged and all
   * dead letters are acknowledged.
   */
  public BatchIdCounts batchIds() {
    return announced.counts();
  }

  /** Returns the missing offsets: lost or not delivered, not decided yet. */
  public OffsetRanges missing() {
    return missing.ranges();
  }

  /** Returns the offsets of the class not delivered. */
  public OffsetRanges notDelivered() {
    return notDelivered.ranges();
  }

  /** Returns the offsets that Kafka has deleted and that may have had records. */
  public OffsetRanges lost() {
    return lost.ranges();
  }

  /** Returns the last of the {@link #missing} offsets plus one; 0 if no offsets are missing. */
  long missingEnd() {
    return missing.end();
  }

  /** Discards the batch, which must not have been committed. */
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
