package io.tidemark.avro.file.read;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Room for one block, which is used again for others: its compressed bytes, and the decompressor
 * that holds its raw ones.
 *
 * <p>The reader's thread fills it. It is then decompressed once: by a thread of the pool, or by the
 * reader's own if no other has begun. Safe for use by these two threads.
 */
final class BlockSlot implements Runnable, AutoCloseable {
  private final String file;
  private final BlockDecompressor decompressor;
  private byte[] compressed = new byte[0];
  private int compressedBytes;
  private long begin;
  private long end;
  private long records;
  private CompletableFuture<ByteBuffer> raw = new CompletableFuture<>();

  /** Whether somebody decompresses the block or has; also while there is none. */
  private final AtomicBoolean claimed = new AtomicBoolean(true);

  BlockSlot(String file, BlockDecompressor decompressor) {
    this.file = file;
    this.decompressor = decompressor;
  }

  /** Begins a block, and returns the array for its compressed bytes. */
  byte[] begin(long position, long count, int bytes) {
    begin = position;
    records = count;
    compressedBytes = bytes;
    if (compressed.length < bytes) {
      compressed = new byte[bytes];
    }
    return compressed;
  }

  /** Ends the block, which can be decompressed from now on. */
  void end(long position) {
    end = position;
    raw = new CompletableFuture<>();
    claimed.set(false);
  }

  /** Where the block begins in the file. */
  long begin() {
    return begin;
  }

  /** Where the next block begins. */
  long end() {
    return end;
  }

  /** How many records the block holds, by its own account. */
  long records() {
    return records;
  }

  int compressedBytes() {
    return compressedBytes;
  }

  /** Decompresses the block, unless somebody has begun to. */
  @Override
  public void run() {
    if (claimed.compareAndSet(false, true)) {
      try {
        raw.complete(decompressor.decompress(compressed, compressedBytes));
      } catch (IOException | RuntimeException e) {
        raw.completeExceptionally(
            CorruptFileException.ofBlock(file, begin, "the block cannot be decompressed", e));
      } catch (Error e) {
        raw.completeExceptionally(e);
      }
    }
  }

  /**
   * The block's raw bytes: decompressed by this thread if nobody has begun, else waited for.
   *
   * @throws InterruptedIOException if the thread is interrupted; it can be asked again
   */
  ByteBuffer raw() throws IOException {
    run();
    try {
      return raw.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      var interrupted = new InterruptedIOException(file + ": interrupted while a block was read");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException fault) {
        throw fault;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(e);
    }
  }

  /** Gives the block up: afterwards no thread uses the slot. */
  void abandon() {
    if (!claimed.compareAndSet(false, true)) {
      // It takes no longer than to decompress a block.
      raw.handle((bytes, fault) -> true).join();
    }
  }

  @Override
  public void close() {
    decompressor.close();
  }
}
