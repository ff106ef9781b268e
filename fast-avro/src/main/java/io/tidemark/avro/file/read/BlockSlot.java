package io.tidemark.avro.file.read;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reusable memory for one block: its compressed bytes, and the decompressor with its raw bytes.
 *
 * <p>The reader's thread fills it. The block is then decompressed once: by a thread of the pool, or
 * by the reader's own thread if no other has begun. Safe for use by these two threads.
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

  /** True if a thread has begun to decompress the block; also true while there is no block. */
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

  /** Ends the block. It can be decompressed after this. */
  void end(long position) {
    end = position;
    raw = new CompletableFuture<>();
    claimed.set(false);
  }

  /** Returns the position of the block in the file. */
  long begin() {
    return begin;
  }

  /** Returns the position of the next block. */
  long end() {
    return end;
  }

  /** Returns the number of records that the block states. */
  long records() {
    return records;
  }

  int compressedBytes() {
    return compressedBytes;
  }

  /** Decompresses the block, unless another thread has begun to. */
  @Override
  public void run() {
    if (claimed.compareAndSet(false, true)) {
      try {
        raw.complete(decompressor.decompress(compressed, compressedBytes));
      } catch (BlockDecompressor.LargeBlockException e) {
        raw.completeExceptionally(CorruptFileException.ofLargeBlock(file, begin, e.maxBlockBytes));
      } catch (IOException | RuntimeException e) {
        raw.completeExceptionally(
            CorruptFileException.ofBlock(file, begin, "the block cannot be decompressed", e));
      } catch (Error e) {
        raw.completeExceptionally(e);
      }
    }
  }

  /**
   * Returns the block's raw bytes. This thread decompresses them if no thread has begun; otherwise
   * it waits.
   *
   * @throws InterruptedIOException if the thread is interrupted; the call can be repeated
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

  /** Drops the block. After this no thread uses the slot. */
  void abandon() {
    if (!claimed.compareAndSet(false, true)) {
      // This waits no longer than a block's decompression takes.
      raw.handle((bytes, fault) -> true).join();
    }
  }

  @Override
  public void close() {
    decompressor.close();
  }
}
