package io.tidemark.connect.pipeline;

import io.tidemark.connect.batch.OffsetGaps;
import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.staging.BatchIdentity;
import io.tidemark.connect.staging.BatchStager;
import io.tidemark.connect.staging.LandingPlans;
import io.tidemark.connect.staging.StagingResources;
import io.tidemark.connect.staging.StagingSettings;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The batch of a topic-partition that takes records: cuts them into chunks and hands these to the
 * workers. Used by the task's thread only.
 */
final class OpenBatch {
  private static final Logger LOG = LoggerFactory.getLogger(OpenBatch.class);

  private final StagingSettings settings;
  private final BatchStager stager;
  private final BatchIdentity identity;
  private final long first;
  private final OffsetGaps gaps = new OffsetGaps();
  private long next;
  private RecordChunk chunk;
  private LandingPlans plans = LandingPlans.NONE;

  /** Begins a batch at {@code first}, the first offset that is not in an entry yet. */
  OpenBatch(StagingResources resources, BatchIdentity identity, long first) {
    this.settings = resources.settings();
    this.stager = new BatchStager(resources, identity);
    this.identity = identity;
    this.first = first;
    this.next = first;
    this.chunk = newChunk();
  }

  /** Takes a record in; {@code current} has a plan for its schema id. */
  void add(long offset, long timestamp, int schemaId, byte[] value, LandingPlans current) {
    if (offset > next) {
      gaps.add(next, offset);
    }
    next = offset + 1;
    plans = current;
    chunk.add(offset, timestamp, schemaId, value);
    if (chunk.size() >= settings.chunkRecords() || chunk.bytes() >= settings.chunkBytes()) {
      submitChunk();
    }
  }

  /** Hands over what is gathered, though it is less than a chunk. */
  void submitChunk() {
    if (chunk.size() > 0) {
      stager.submit(chunk, plans);
      chunk = newChunk();
    }
  }

  BatchIdentity identity() {
    return identity;
  }

  /** The bytes that no worker has been given yet. */
  long unsubmittedBytes() {
    return chunk.bytes();
  }

  /** The first failure of the workers, if there was one. */
  CompletableFuture<Void> landed() {
    return stager.appended();
  }

  /**
   * Ends the batch; the result is there when its files are durable. When staging fails, what was
   * staged is removed.
   */
  CompletableFuture<SealedBatch> seal() {
    submitChunk();
    return stager
        .finish()
        .thenApply(staged -> new SealedBatch(staged, new OffsetRange(first, next), gaps))
        .whenComplete(
            (ended, failure) -> {
              if (failure != null) {
                abandon();
              }
            });
  }

  /** Gives the batch up; it must not have been committed. */
  void abandon() {
    // The result is joined here: a stream that does not close is only worth a line, the next claim
    // removes the file.
    CompletableFuture<Void> reported =
        stager
            .abandon()
            .exceptionally(
                failure -> {
                  LOG.info(
                      "{}: giving up a batch: {}", identity.topicPartition(), failure.toString());
                  return null;
                });
    LOG.debug(
        "{}: batch at {} given up, done: {}", identity.topicPartition(), first, reported.isDone());
  }

  private RecordChunk newChunk() {
    return new RecordChunk(identity.topicPartition(), Math.min(settings.chunkRecords(), 256));
  }
}
