package io.tidemark.connect.staging;

import io.tidemark.store.batch.RecordPlace;
import io.tidemark.store.batch.RejectedRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Stages one batch of one topic-partition. Staging threads convert chunks in parallel. The results
 * are appended to the batch's files in the order of the chunks. No method waits.
 */
public final class BatchStager {

  /** Receives the records that cannot land: one at a time, in the order of the chunks. */
  @FunctionalInterface
  public interface RejectedRecords {
    /** Accepts a record, or throws: its batch must then not be committed. */
    void take(RejectedRecord rejected) throws RejectedRecordException;
  }

  private final StagingResources resources;
  private final BatchIdentity identity;
  private final RejectedRecords rejectedRecords;
  private final CompletableFuture<Void> writing = new CompletableFuture<>();
  private CompletableFuture<Void> appended = CompletableFuture.completedFuture(null);
  private CompletableFuture<?> lastStep = appended;

  // Only the chain of appends uses the files.
  private final BatchFiles files;
  private long landed;

  public BatchStager(
      StagingResources resources, BatchIdentity identity, RejectedRecords rejectedRecords) {
    this.resources = resources;
    this.identity = identity;
    this.rejectedRecords = rejectedRecords;
    this.files = new BatchFiles(resources, identity, writing::completeExceptionally);
  }

  /** Completes when all submitted chunks are appended; fails with the first failure. */
  public CompletableFuture<Void> appended() {
    return appended;
  }

  /** Never completes, but fails when a file cannot be written, possibly before the finish. */
  public CompletableFuture<Void> writing() {
    return writing;
  }

  /** Submits a chunk. Its records follow those of the previous chunks. */
  public void submit(RecordChunk chunk, Bindings bindings) {
    long bytes = chunk.bufferedBytes();
    resources.memory().waiting(bytes);
    CompletableFuture<LandedChunk> chunkLanded =
        CompletableFuture.supplyAsync(
            () ->
                resources.memory().grownTooMuch()
                    ? new LandedChunk(List.of(), List.of(), 0, List.of(chunk))
                    : land(chunk, bindings),
            resources.workers());
    CompletableFuture<Void> unused =
        chunkLanded.thenAccept(now -> resources.memory().grown(now.grownBytes()));
    appended =
        appended
            .thenCombine(chunkLanded, (before, landedNow) -> landedNow)
            .thenCompose(landedNow -> append(landedNow, bindings))
            .whenComplete(
                (done, failure) -> {
                  resources.memory().waiting(-bytes);
                  resources.memory().grown(-grown(chunkLanded));
                });
    lastStep = appended;
  }

  private static long grown(CompletableFuture<LandedChunk> ended) {
    return ended.isCompletedExceptionally() ? 0 : ended.join().grownBytes();
  }

  /** Appends a result, then lands the chunk's rest: its results fit in memory only one by one. */
  private CompletableFuture<Void> append(LandedChunk chunk, Bindings bindings) {
    append(chunk);
    CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    for (RecordChunk rest : chunk.rest()) {
      done =
          done.thenCompose(before -> files.written())
              .thenApplyAsync(written -> land(rest, bindings), resources.workers())
              .thenCompose(landedNow -> append(landedNow, bindings));
    }
    return done;
  }

  /** Returns the number of files that were finished before the end of the batch. Thread-safe. */
  public int rolledFiles() {
    return files.rolled();
  }

  /** Returns the size of the largest file in bytes. Thread-safe. */
  public long fileBytes() {
    return files.largestBytes();
  }

  /** Finishes all files. The future completes when the last file is durable. */
  public CompletableFuture<StagedBatch> finish() {
    CompletableFuture<StagedBatch> finished =
        appended
            .thenCompose(done -> files.finish())
            .thenApply(closed -> new StagedBatch(identity, landed, files.tables(), closed));
    lastStep = finished;
    return finished;
  }

  /** Discards the batch, and removes its staged files as far as the store permits. */
  public CompletableFuture<Void> abandon() {
    return lastStep.handle((done, failure) -> files).thenCompose(BatchFiles::abandon);
  }

  private LandedChunk land(RecordChunk chunk, Bindings bindings) {
    ChunkLander lander = resources.borrowLander();
    try {
      return lander.land(chunk, bindings);
    } finally {
      resources.giveBack(lander);
    }
  }

  /** Rejects the first record that would create more Hive partitions than a day may have. */
  private void requireHivePartitions(LandedChunk chunk) throws RejectedRecordException {
    HivePartitionLimit limit = resources.hivePartitions();
    Optional<ChunkPart> refused =
        chunk.parts().stream()
            .sorted(Comparator.comparingLong(part -> part.summary().firstOffset()))
            .filter(part -> !limit.admits(part.destination()))
            .findFirst();
    if (refused.isPresent()) {
      throw new RejectedRecordException(
          new RecordPlace(identity.topicPartition(), refused.get().summary().firstOffset()),
          limit.reason(refused.get().destination()));
    }
  }

  private void append(LandedChunk chunk) {
    try {
      requireHivePartitions(chunk);
      for (RejectedRecord rejected : chunk.rejected()) {
        rejectedRecords.take(rejected);
      }
    } catch (RejectedRecordException e) {
      throw new CompletionException(e);
    }
    for (ChunkPart part : chunk.parts()) {
      landed += part.summary().records();
    }
    files.append(chunk);
  }
}
