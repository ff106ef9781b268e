package io.tidemark.connect.staging;

import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.batch.RejectedRecord;
import io.tidemark.connect.routing.BindingSnapshot;
import io.tidemark.connect.table.DataFile;
import io.tidemark.connect.table.TableRoot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Stages one batch of one topic-partition: chunks are landed by the workers in parallel, and what
 * they bring is appended to the batch's files in the order of the chunks. Submitted to by the
 * task's thread; nothing here waits.
 */
public final class BatchStager {
  // Each open stream reserves a block of the store's space and a buffer: not worth it for less.
  private static final long WORTH_A_STREAM_BYTES = 1 << 20;

  // A file of this size is a large one, and its blocks go to the store as they come: buffered until
  // the flush, they would only leave less of the heap to the records that come and go, and all of
  // the
  // store's work to the end.
  private static final long LARGE_FILE_BYTES = 4 << 20;

  private final StagingResources resources;
  private final BatchIdentity identity;
  private final RejectedRecords rejectedRecords;
  private final CompletableFuture<Void> writing = new CompletableFuture<>();
  private CompletableFuture<Void> appended = CompletableFuture.completedFuture(null);
  private CompletableFuture<?> lastStep = appended;

  // Touched only by the chain of appends.
  private final Map<Destination, FileStager> files = new LinkedHashMap<>();
  private long landed;

  public BatchStager(
      StagingResources resources, BatchIdentity identity, RejectedRecords rejectedRecords) {
    this.resources = resources;
    this.identity = identity;
    this.rejectedRecords = rejectedRecords;
  }

  /**
   * The chain of what was submitted: completes when all of it stands in files, or with the first
   * failure.
   */
  public CompletableFuture<Void> appended() {
    return appended;
  }

  /**
   * Fails when a file could not be written, which may be long before the batch is finished; else it
   * is never done.
   */
  public CompletableFuture<Void> writing() {
    return writing;
  }

  /** Takes in a chunk; its records follow those of the chunks before. */
  public void submit(RecordChunk chunk, BindingSnapshot bindings) {
    long bytes = chunk.bufferedBytes();
    resources.memory().queued(bytes);
    CompletableFuture<LandedChunk> chunkLanded =
        CompletableFuture.supplyAsync(() -> land(chunk, bindings), resources.workers());
    appended =
        appended
            .thenCombine(chunkLanded, (before, landedNow) -> landedNow)
            .thenAccept(this::append)
            .whenComplete((done, failure) -> resources.memory().queued(-bytes));
    lastStep = appended;
  }

  /** Completes all files; the result is there when the last of them is durable. */
  public CompletableFuture<StagedBatch> finish() {
    CompletableFuture<StagedBatch> finished =
        appended.thenCompose(
            done -> {
              List<CompletableFuture<DataFile>> closing =
                  files.values().stream().map(FileStager::finish).toList();
              return CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new))
                  .thenApply(
                      closed -> {
                        List<DataFile> committed = new ArrayList<>();
                        closing.forEach(file -> committed.add(file.join()));
                        return new StagedBatch(identity, landed, tables(), committed);
                      });
            });
    lastStep = finished;
    return finished;
  }

  private List<TableRoot> tables() {
    return files.keySet().stream()
        .map(Destination::table)
        .map(table -> new TableRoot(table.name(), table.layout().root()))
        .distinct()
        .toList();
  }

  /** Gives the batch up and removes what was staged, as far as the store lets it. */
  public CompletableFuture<Void> abandon() {
    return lastStep
        .handle((done, failure) -> List.copyOf(files.values()))
        .thenCompose(
            open ->
                CompletableFuture.allOf(
                    open.stream().map(FileStager::abandon).toArray(CompletableFuture[]::new)));
  }

  private LandedChunk land(RecordChunk chunk, BindingSnapshot bindings) {
    ChunkLander lander = resources.borrowLander();
    try {
      return lander.land(chunk, bindings);
    } finally {
      resources.giveBack(lander);
    }
  }

  private FileStager newFile(Destination destination, LandedChunk chunk) {
    int most = resources.settings().batchFiles();
    if (files.size() >= most) {
      throw new TooManyFilesException(most, destination, firstOffsetOfNewFiles(chunk));
    }
    return new FileStager(
        resources, identity, destination, files.size() + 1, writing::completeExceptionally);
  }

  /** Behind the first record of the batch, as that has made a file or is a dead letter. */
  private long firstOffsetOfNewFiles(LandedChunk chunk) {
    return chunk.segments().stream()
        .filter(segment -> !files.containsKey(segment.destination()))
        .mapToLong(segment -> segment.summary().firstOffset())
        .min()
        .orElseThrow();
  }

  private void append(LandedChunk chunk) {
    try {
      for (RejectedRecord rejected : chunk.rejected()) {
        rejectedRecords.take(rejected);
      }
    } catch (RejectedRecordException e) {
      throw new CompletionException(e);
    }
    for (FilledSegment segment : chunk.segments()) {
      landed += segment.summary().records();
      FileStager file =
          files.computeIfAbsent(segment.destination(), place -> newFile(place, chunk));
      file.append(segment);
      if (file.bufferedBytes() >= LARGE_FILE_BYTES && mayStream(file)) {
        file.spill();
      }
    }
    if (resources.memory().spillWanted()) {
      files.values().stream()
          .filter(this::mayStream)
          .max(Comparator.comparingLong(FileStager::bufferedBytes))
          .filter(largest -> largest.bufferedBytes() >= WORTH_A_STREAM_BYTES)
          .ifPresent(FileStager::spill);
    }
  }

  private boolean mayStream(FileStager file) {
    return file.spilled() || resources.openFiles().get() < resources.settings().openFiles();
  }
}
