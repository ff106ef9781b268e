package io.tidemark.benchmarks.sinks;

import io.tidemark.benchmarks.sinks.RawCopyStream.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An Avro file, to which datums are copied unchanged. Used by one thread; other threads compress
 * and write its blocks in order.
 *
 * <p>The file is created in the store when its blocks have 4 MiB before compression, or at its end.
 * So a task that fills thousands of small files has no open stream for each of them.
 */
final class RawCopyFile {
  private static final int CREATED_AT_BYTES = 4 << 20;
  private static final int FIRST_BUFFER_BYTES = 4_096;

  private final RawCopyStream.Creation creation;
  private final BlockWorkers workers;
  private final BlockBuffers buffers;

  /** The blocks of a file that is not created yet. */
  private final List<CompletableFuture<Block>> kept = new ArrayList<>();

  private long keptBytes;

  /** Completes when all blocks so far are written; null before the file is created. */
  private @Nullable CompletableFuture<RawCopyStream> written;

  private byte[] block;
  private int filled;
  private long records;

  RawCopyFile(RawCopyStream.Creation creation, BlockWorkers workers) {
    this.creation = creation;
    this.workers = workers;
    buffers = workers.buffers();
    block = buffers.take(FIRST_BUFFER_BYTES);
  }

  void append(byte[] source, int offset, int length) {
    if (filled + length > block.length) {
      makeRoom(length);
    }
    System.arraycopy(source, offset, block, filled, length);
    filled += length;
    records++;
    if (filled >= workers.blockSizeBytes()) {
      endBlock();
      block = buffers.take(buffers.mostBytes());
    }
  }

  /** Makes room for a record, in a larger buffer or in a new block. */
  private void makeRoom(int length) {
    if (filled > 0 && filled + length > buffers.mostBytes()) {
      endBlock();
      block = buffers.take(length);
    } else {
      block = buffers.grown(block, filled, filled + length);
    }
  }

  /** Ends the file; completes when it is closed. */
  CompletableFuture<Void> close() {
    if (filled > 0) {
      endBlock();
    } else {
      buffers.giveBack(block);
    }
    workers.closing().acquireUninterruptibly();
    CompletableFuture<Void> closed =
        written == null
            ? CompletableFuture.allOf(kept.toArray(CompletableFuture<?>[]::new))
                .thenRunAsync(this::writeKept, workers.writing())
            : written.thenAcceptAsync(RawCopyStream::close, workers.writing());
    return closed.whenComplete((done, failure) -> workers.closing().release());
  }

  /** Writes the whole file, after its last block was compressed. */
  private void writeKept() {
    RawCopyStream stream = RawCopyStream.create(creation, workers);
    kept.forEach(block -> stream.append(block.join()));
    stream.close();
  }

  private void endBlock() {
    if (written != null && written.isCompletedExceptionally()) {
      written.join();
    }
    byte[] raw = block;
    int length = filled;
    long count = records;
    filled = 0;
    records = 0;
    workers.blocks().acquireUninterruptibly();
    CompletableFuture<Block> compressed =
        CompletableFuture.supplyAsync(
            () -> new Block(count, workers.compress(raw, length)), workers.compressing());
    if (written == null) {
      kept.add(compressed.whenComplete((done, failure) -> workers.blocks().release()));
      keptBytes += length;
      if (keptBytes >= CREATED_AT_BYTES) {
        create();
      }
    } else {
      written =
          written
              .thenCombineAsync(compressed, RawCopyStream::append, workers.writing())
              .whenComplete((done, failure) -> workers.blocks().release());
    }
  }

  private void create() {
    CompletableFuture<RawCopyStream> stream =
        CompletableFuture.supplyAsync(
            () -> RawCopyStream.create(creation, workers), workers.writing());
    for (CompletableFuture<Block> each : kept) {
      stream = stream.thenCombineAsync(each, RawCopyStream::append, workers.writing());
    }
    kept.clear();
    written = stream;
  }
}
