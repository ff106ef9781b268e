package io.tidemark.benchmarks.sinks;

import io.tidemark.avro.file.ContainerFileHeader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * An open Avro file, to which datums are copied unchanged. Used by one thread; other threads
 * compress and write its blocks in order.
 */
final class RawCopyFile {
  private final OutputStream out;
  private final BlockWorkers workers;
  private final byte[] sync = ContainerFileHeader.newSync();
  private final BinaryEncoder encoder;
  private CompletableFuture<Void> written;
  private byte[] block;
  private int filled;
  private long records;
  private long nextOffset;

  RawCopyFile(OutputStream out, BlockWorkers workers) {
    this.out = out;
    this.workers = workers;
    encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    byte[] header = workers.header(sync).encoded();
    written = CompletableFuture.runAsync(() -> io(() -> out.write(header)), workers.writing());
    block = workers.borrow();
  }

  /** Returns the offset after the last datum. */
  long nextOffset() {
    return nextOffset;
  }

  void append(byte[] source, int offset, int length, long recordOffset) {
    if (filled + length > block.length) {
      makeRoom(length);
    }
    System.arraycopy(source, offset, block, filled, length);
    filled += length;
    records++;
    nextOffset = recordOffset + 1;
    if (filled >= workers.blockSizeBytes()) {
      endBlock();
      block = workers.borrow();
    }
  }

  /** Ends the block, and starts one with enough room for a record. */
  private void makeRoom(int length) {
    if (filled > 0) {
      endBlock();
      block = workers.borrow();
    }
    if (block.length < length) {
      block = new byte[length];
    }
  }

  /** Closes the file; completes when it is closed. */
  CompletableFuture<Void> close() {
    if (filled > 0) {
      endBlock();
    } else {
      workers.giveBack(block);
    }
    return written.thenRunAsync(() -> io(out::close), workers.writing());
  }

  private void endBlock() {
    if (written.isCompletedExceptionally()) {
      written.join();
    }
    byte[] raw = block;
    int length = filled;
    long count = records;
    filled = 0;
    records = 0;
    CompletableFuture<byte[]> compressed =
        CompletableFuture.supplyAsync(() -> workers.compress(raw, length), workers.compressing());
    written =
        written.thenAcceptBothAsync(
            compressed,
            (before, bytes) -> {
              workers.giveBack(raw);
              io(
                  () -> {
                    encoder.writeLong(count);
                    encoder.writeBytes(bytes, 0, bytes.length);
                    out.write(sync);
                  });
            },
            workers.writing());
  }

  @FunctionalInterface
  private interface Writing {
    void run() throws IOException;
  }

  private static void io(Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
