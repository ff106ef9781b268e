package io.tidemark.connect.pipeline.intake;

import io.tidemark.connect.batch.BatchId;
import io.tidemark.connect.batch.BatchIdCounter;
import io.tidemark.connect.batch.BatchIdCounts;
import io.tidemark.connect.batch.IncomingRecord;
import io.tidemark.connect.batch.OffsetCollector;
import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.batch.OffsetRanges;
import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.batch.RecordPlace;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.pipeline.deadletter.BatchDeadLetters;
import io.tidemark.connect.routing.BindingSnapshot;
import io.tidemark.connect.staging.BatchIdentity;
import io.tidemark.connect.staging.BatchStager;
import io.tidemark.connect.staging.RejectedRecordException;
import io.tidemark.connect.staging.StagedBatch;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.connect.staging.StagingSettings;
import io.tidemark.connect.text.PrintableText;
import io.tidemark.registry.wire.Framing;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The batch of a topic-partition that takes records: cuts them into chunks and hands these to the
 * workers. Used by the task's thread only.
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

  /** Begins a batch at {@code first}, the first offset that is not in an entry yet. */
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

  /** Takes a record in; {@code current} has a binding for its schema id. */
  void add(IncomingRecord record, Framing framing, BindingSnapshot current) {
    reach(record.offset());
    if (current != bindings && !current.includes(bindings)) {
      // They were too many, and those of the records before may be gone.
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

  /** Leaves a record out, by a configured policy. */
  void skip(IncomingRecord record) {
    long offset = record.offset();
    reach(offset);
    skipped.add(offset, offset + 1);
    BatchId batchId = record.batchId();
    if (batchId != null) {
      announced.skip(batchId, offset);
    }
  }

  /** Takes in a record that cannot land. */
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

  /** Passes over the offsets up to one; what they were is found out later. */
  void miss(long to) {
    missing.add(next, to);
    next = to;
  }

  /** Passes over the offsets up to one, which had no record for us. */
  void pass(long to) {
    notDelivered.add(next, to);
    next = to;
  }

  /** Passes over the offsets up to one, which may have had records that Kafka no longer has. */
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

  /** Records were delivered for it, whether they land or not. */
  boolean hasRecords() {
    return hasRecords;
  }

  /** Submits the chunk that is not full yet. */
  void submitChunk() {
    if (chunk.size() > 0) {
      stager.submit(chunk, bindings);
      // Chunks are mostly as large as the one before.
      chunk = new RecordChunk(identity.topicPartition(), chunk.size() + chunk.size() / 16);
    }
  }

  /** The ranges that the entry would list; each dead letter may be one of its own. */
  int ranges() {
    return missing.size()
        + notDelivered.size()
        + lost.size()
        + skipped.size()
        + deadLetters.taken();
  }

  /** How many of its files have ended already, as they had reached a limit. */
  int rolledFiles() {
    return stager.rolledFiles();
  }

  BatchIdentity identity() {
    return identity;
  }

  /** The bytes that no worker has been given yet. */
  long unsubmittedBytes() {
    return chunk.bufferedBytes();
  }

  /** Done when a worker has failed, or all that was handed over has landed. */
  CompletableFuture<Void> landed() {
    return stager.appended();
  }

  /** Done, before the batch ends, only when a file could not be written. */
  CompletableFuture<Void> writing() {
    return stager.writing();
  }

  /** Done, before the batch ends, only when a dead letter was not taken. */
  CompletableFuture<OffsetRanges> deadLetterFailure() {
    return deadLetters.result();
  }

  /** Ends the batch: it takes no more records. The result is there when its files are durable. */
  public CompletableFuture<StagedBatch> stage() {
    submitChunk();
    return stager.finish();
  }

  /** For a batch that takes no more records: the offsets that the dead letter queue has. */
  public CompletableFuture<OffsetRanges> deadLettersAcknowledged() {
    return deadLetters.complete();
  }

  /** The offsets that it covers so far. */
  public OffsetRange range() {
    return new OffsetRange(first, next);
  }

  /** The offsets whose records were left out by a configured policy. */
  public OffsetRanges skipped() {
    return skipped.ranges();
  }

  /**
   * The records that belong to announced batches; asked for when all files are staged and the dead
   * letter queue has all that do not land.
   */
  public BatchIdCounts batchIds() {
    return announced.counts();
  }

  /** The offsets of which it is to be found out why they were not delivered. */
  public OffsetRanges missing() {
    return missing.ranges();
  }

  /** The offsets that had no record for us. */
  public OffsetRanges notDelivered() {
    return notDelivered.ranges();
  }

  /** The offsets that may have had records, which Kafka no longer has. */
  public OffsetRanges lost() {
    return lost.ranges();
  }

  /** One past the last of the {@link #missing} offsets; 0 where there is none. */
  long missingEnd() {
    return missing.end();
  }

  /** Gives the batch up; it must not have been committed. */
  public void abandon() {
    deadLetters.abandon();
    // The result is joined here: a stream that does not close is only worth a line, the next claim
    // removes the file.
    CompletableFuture<Void> reported =
        stager
            .abandon()
            .exceptionally(
                failure -> {
                  LOG.info(
                      "{}: giving up a batch: {}",
                      identity.topicPartition(),
                      PrintableText.of(failure));
                  return null;
                });
    LOG.debug(
        "{}: batch at {} given up, done: {}", identity.topicPartition(), first, reported.isDone());
  }
}
