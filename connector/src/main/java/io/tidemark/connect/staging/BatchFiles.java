package io.tidemark.connect.staging;

import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableRoot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The files of a batch. Each Hive partition has one open file. A file that reaches a {@link
 * FileLimits limit} is finished immediately, while the batch continues. Not thread-safe, except for
 * {@link #rolled} and {@link #largestBytes}.
 */
final class BatchFiles {
  // Do not open a stream for fewer bytes: it reserves a block of the store and a buffer.
  private static final long WORTH_A_STREAM_BYTES = 1 << 20;

  // The blocks of a file of this size are written as soon as they are complete. Until the flush
  // they would occupy heap that records need, and delay the store's work to the end.
  private static final long LARGE_FILE_BYTES = 4 << 20;

  private final StagingResources resources;
  private final BatchIdentity identity;
  private final Consumer<Throwable> writeFailed;
  private final FileLimits limits;
  private final Map<Destination, FileStager> open = new LinkedHashMap<>();
  private final List<FileStager> all = new ArrayList<>();
  private final AtomicInteger rolled = new AtomicInteger();
  private volatile long largestBytes;

  /** Calls {@code writeFailed} at once if a write fails before the finish. */
  BatchFiles(StagingResources resources, BatchIdentity identity, Consumer<Throwable> writeFailed) {
    this.resources = resources;
    this.identity = identity;
    this.writeFailed = writeFailed;
    this.limits = resources.settings().fileLimits();
  }

  /** Appends a chunk; throws if it needs more files than a batch may have. */
  void append(LandedChunk chunk) {
    List<Long> begun = new ArrayList<>();
    int before = all.size();
    List<ChunkPart> parts = chunk.parts();
    for (int i = 0; i < parts.size(); i++) {
      ChunkPart part = parts.get(i);
      List<Long> firsts = firsts(part);
      if (all.size() + firsts.size() > resources.settings().batchFiles()) {
        for (ChunkPart each : parts.subList(i, parts.size())) {
          begun.addAll(firsts(each));
        }
        throw tooMany(part.destination(), before, begun);
      }
      begun.addAll(firsts);
      append(part);
    }
    if (resources.memory().writeWanted()) {
      open.values().stream()
          .filter(this::mayStream)
          .max(Comparator.comparingLong(FileStager::bufferedBytes))
          .filter(largest -> largest.bufferedBytes() >= WORTH_A_STREAM_BYTES)
          .ifPresent(FileStager::writeBlocks);
    }
  }

  /** Creates the exception: the batch must end before the record of the first extra file. */
  private TooManyFilesException tooMany(Destination destination, int before, List<Long> begun) {
    int most = resources.settings().batchFiles();
    long offset = begun.stream().sorted().skip(most - before).findFirst().orElseThrow();
    return new TooManyFilesException(most, destination, offset);
  }

  /** Returns the offset of the first record of each file. */
  private List<Long> firsts(ChunkPart part) {
    FileStager file = open.get(part.destination());
    List<Long> firsts = new ArrayList<>();
    if (file == null) {
      firsts.add(part.summary().firstOffset());
    }
    part.records()
        .ifPresent(
            records -> {
              List<Integer> ends = limits.ends(file, records);
              ends.subList(0, ends.size() - 1).forEach(end -> firsts.add(records.offset(end)));
            });
    return firsts;
  }

  private void append(ChunkPart part) {
    Destination destination = part.destination();
    if (part.records().isEmpty()) {
      FileStager file = file(destination);
      file.append(part);
      appended(file, destination);
      return;
    }
    List<Integer> ends = limits.ends(open.get(destination), part.records().get());
    int from = 0;
    for (int i = 0; i < ends.size(); i++) {
      if (i > 0) {
        roll(destination);
      }
      int to = ends.get(i);
      if (to > from) {
        FileStager file = file(destination);
        file.append(part, from, to);
        appended(file, destination);
      }
      from = to;
    }
  }

  private FileStager file(Destination destination) {
    return open.computeIfAbsent(
        destination,
        place -> {
          FileStager file = new FileStager(resources, identity, place, all.size() + 1, writeFailed);
          all.add(file);
          return file;
        });
  }

  private void appended(FileStager file, Destination destination) {
    largestBytes = Math.max(largestBytes, file.encodedBytes());
    if (limits.reached(file)) {
      roll(destination);
    } else if (file.bufferedBytes() >= LARGE_FILE_BYTES && mayStream(file)) {
      file.writeBlocks();
    }
  }

  private void roll(Destination destination) {
    FileStager full = open.remove(destination);
    if (full != null) {
      rolled.incrementAndGet();
      full.end();
    }
  }

  private boolean mayStream(FileStager file) {
    return file.streaming() || resources.openFiles().get() < resources.settings().openFiles();
  }

  int rolled() {
    return rolled.get();
  }

  long largestBytes() {
    return largestBytes;
  }

  /** Finishes the open files. The future completes when all files of the batch are durable. */
  CompletableFuture<List<DataFile>> finish() {
    List<CompletableFuture<DataFile>> closing = all.stream().map(FileStager::finish).toList();
    return allOf(closing)
        .thenApply(closed -> closing.stream().map(CompletableFuture::join).toList());
  }

  /** Completes when what was written early is in the store. */
  CompletableFuture<Void> written() {
    return allOf(all.stream().map(FileStager::written).toList());
  }

  List<TableRoot> tables() {
    return all.stream()
        .map(FileStager::destination)
        .map(Destination::table)
        .map(Table::root)
        .distinct()
        .toList();
  }

  /** Removes the staged files after all pending finishes have ended. */
  CompletableFuture<Void> abandon() {
    return allOf(all.stream().map(FileStager::ended).toList())
        .thenCompose(ended -> allOf(all.stream().map(FileStager::abandon).toList()));
  }

  private static CompletableFuture<Void> allOf(List<? extends CompletableFuture<?>> each) {
    return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new));
  }
}
