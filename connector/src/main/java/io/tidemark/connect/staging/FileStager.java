package io.tidemark.connect.staging;

import io.tidemark.store.PrintableText;
import io.tidemark.store.StoragePath;
import io.tidemark.store.file.AvroFileFactory;
import io.tidemark.store.file.AvroFileWriter;
import io.tidemark.store.file.AvroFormat;
import io.tidemark.store.table.DataFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one staged file. One thread at a time appends records, and requests early writes of
 * complete blocks, which free memory, and the finish. The writers do the I/O later, in the same
 * order. A stream to the store is opened only for a write. A file without early writes is opened,
 * written and closed in one step. So a task has at most as many open streams as files with early
 * writes and writer threads together.
 */
final class FileStager {
  private static final Logger LOG = LoggerFactory.getLogger(FileStager.class);

  private final StagingResources resources;
  private final BatchIdentity batch;
  private final Destination destination;
  private final AvroFileFactory files;
  private final StoragePath staged;
  private final Consumer<Throwable> writeFailed;
  private final AvroFileWriter file;
  private final RecordSummary summary = new RecordSummary();
  private long firstTimestamp = FileLimits.NO_TIMESTAMP;
  private long accountedBytes;
  private boolean streaming;
  private @Nullable CompletableFuture<DataFile> finished;
  private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);

  // Only the chain of writes uses the stream.
  private @Nullable OutputStream out;
  private boolean created;
  private long writtenBytes;

  /** Calls {@code writeFailed} at once if a write fails before the finish. */
  FileStager(
      StagingResources resources,
      BatchIdentity batch,
      Destination destination,
      int number,
      Consumer<Throwable> writeFailed) {
    this.resources = resources;
    this.batch = batch;
    this.destination = destination;
    this.files = resources.files().with(destination.table().options().compression());
    this.staged =
        batch
            .staging()
            .in(destination.table().layout())
            .child(batch.attempt() + "-" + number + "." + AvroFormat.EXTENSION);
    this.writeFailed = writeFailed;
    this.file = files.newFile(destination.schema(), batch.attempt(), resources.workers());
  }

  void append(ChunkPart part) {
    file.append(part.segment());
    summary.add(part.summary());
    account();
  }

  void append(ChunkPart part, int from, int to) {
    file.append(part.segment(), from, to);
    RecordList records = part.records().orElseThrow();
    records.addTo(summary, from, to);
    for (int i = from; i < to && firstTimestamp == FileLimits.NO_TIMESTAMP; i++) {
      firstTimestamp = records.timestamp(i);
    }
    account();
  }

  Destination destination() {
    return destination;
  }

  long records() {
    return summary.records();
  }

  /** Returns the first timestamp of the records, if parts were divided. */
  long firstTimestamp() {
    return firstTimestamp;
  }

  /** Returns the file's length so far in bytes; uncompressed data counts with its present size. */
  long encodedBytes() {
    return file.encodedBytes();
  }

  /** Returns the bytes that {@link #writeBlocks} would free. */
  long bufferedBytes() {
    return file.bufferedBytes();
  }

  boolean streaming() {
    return streaming;
  }

  void writeBlocks() {
    List<AvroFileWriter.Part> ready = file.take();
    if (!ready.isEmpty()) {
      if (!streaming) {
        streaming = true;
        resources.openFiles().incrementAndGet();
      }
      account();
      written =
          inOrder(ready, () -> write(ready))
              .thenAccept(bytes -> {})
              .whenComplete((done, failure) -> reportIfFailed(failure));
    }
  }

  /** Completes when the blocks of {@link #writeBlocks} are written. */
  CompletableFuture<Void> written() {
    return written;
  }

  private void reportIfFailed(@Nullable Throwable failure) {
    if (failure != null) {
      writeFailed.accept(failure);
    }
  }

  /** Begins to finish the file. After this call nothing can be appended. */
  void end() {
    if (finished == null) {
      finished = close();
    }
  }

  /** Finishes the file. The future completes when the file is closed durably. */
  CompletableFuture<DataFile> finish() {
    end();
    return Objects.requireNonNull(finished);
  }

  private CompletableFuture<DataFile> close() {
    return file.finish()
        .thenCompose(
            full -> {
              List<AvroFileWriter.Part> rest = file.take();
              account();
              return inOrder(rest, () -> closed(rest));
            })
        .whenComplete(
            (closed, failure) -> {
              countClosed();
              reportIfFailed(failure);
            });
  }

  /** Returns a future that completes, never with a failure, when a pending finish has ended. */
  CompletableFuture<Void> ended() {
    return finished == null
        ? CompletableFuture.completedFuture(null)
        : finished.handle((closed, failure) -> null);
  }

  /** Discards the file, after its pending writes. A finish must have {@linkplain #ended ended}. */
  CompletableFuture<Void> abandon() {
    resources.memory().buffered(-accountedBytes);
    accountedBytes = 0;
    countClosed();
    return written
        .handle((done, failure) -> out)
        .thenAcceptAsync(this::discard, resources.writers());
  }

  private void countClosed() {
    if (streaming) {
      streaming = false;
      resources.openFiles().decrementAndGet();
    }
  }

  private void account() {
    long now = file.bufferedBytes();
    resources.memory().buffered(now - accountedBytes);
    accountedBytes = now;
  }

  /** Lets a writer process blocks after all earlier work on this file. */
  private <T> CompletableFuture<T> inOrder(List<AvroFileWriter.Part> ready, Supplier<T> work) {
    long bytes = encodedBytes(ready);
    resources.memory().waiting(bytes);
    return written
        .thenApplyAsync(before -> work.get(), resources.writers())
        .whenComplete((done, failure) -> resources.memory().waiting(-bytes));
  }

  private long write(List<AvroFileWriter.Part> ready) {
    long bytes = encodedBytes(ready);
    try {
      OutputStream stream = stream();
      for (AvroFileWriter.Part part : ready) {
        file.write(part, stream);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    writtenBytes += bytes;
    return bytes;
  }

  private static long encodedBytes(List<AvroFileWriter.Part> parts) {
    return parts.stream().mapToLong(AvroFileWriter.Part::bytes).sum();
  }

  private OutputStream stream() throws IOException {
    if (out == null) {
      created = true; // A failed call may leave the file.
      out = resources.storage().create(staged);
      writtenBytes = file.writeHead(out);
    }
    return out;
  }

  private DataFile closed(List<AvroFileWriter.Part> rest) {
    write(rest);
    try {
      stream().close();
      file.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String name =
        DataFile.name(
            batch.topicPartition(),
            batch.generation(),
            summary.firstOffset(),
            summary.lastOffset(),
            batch.offsetDigits(),
            AvroFormat.EXTENSION);
    return new DataFile(
        destination.table().name(),
        staged,
        destination.table().layout().partitionDirectory(destination.partition()).child(name),
        destination.partition(),
        summary.records(),
        writtenBytes,
        files.codec(),
        destination.schema().version(),
        summary.schemaIds(),
        summary.firstOffset(),
        summary.lastOffset(),
        summary.minTimestamp(),
        summary.maxTimestamp());
  }

  private void discard(@Nullable OutputStream stream) {
    if (!created) {
      return;
    }
    try (stream) {
      LOG.debug("discarding {}", staged);
    } catch (IOException e) {
      LOG.info("{} was discarded, but its stream did not close: {}", staged, PrintableText.of(e));
    }
    try {
      resources.storage().delete(staged);
    } catch (IOException e) {
      LOG.info(
          "{} was discarded, but could not be removed; the next claim removes it: {}",
          staged,
          PrintableText.of(e));
    }
  }
}
