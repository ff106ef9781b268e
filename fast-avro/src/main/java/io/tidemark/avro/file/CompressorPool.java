package io.tidemark.avro.file;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.LongAdder;

/**
 * The compressors of one codec, with their buffers, lent out for a block at a time and used again
 * for the next.
 *
 * <p>Safe for use by many threads; there are as many compressors as threads have compressed at
 * once. Closing frees the memory that they hold outside of the heap. Blocks can still be compressed
 * after that, but no compressor is kept.
 */
public final class CompressorPool implements AutoCloseable {
  private final BlockCodec codec;
  private final Deque<BlockCompressor> idle = new ConcurrentLinkedDeque<>();
  private final LongAdder busyNanos = new LongAdder();
  private volatile boolean closed;

  /** Makes a pool with no compressor in it yet. */
  public CompressorPool(BlockCodec codec) {
    this.codec = codec;
  }

  /** The codec of all its compressors. */
  public BlockCodec codec() {
    return codec;
  }

  /** How long blocks have been compressed by the wall clock, added up over all threads. */
  public long busyNanos() {
    return busyNanos.sum();
  }

  @Override
  public void close() {
    closed = true;
    freeIdle();
  }

  /**
   * Makes a block of records.
   *
   * @param firstRecord the index of the first of them in the file
   * @throws BlockFailedException if they cannot be compressed
   */
  Block block(long firstRecord, long records, byte[] raw, int offset, int length) {
    try {
      return new Block(records, length, compress(raw, offset, length));
    } catch (RuntimeException | Error e) {
      throw new BlockFailedException(codec, firstRecord, firstRecord + records - 1, e);
    }
  }

  /** Compresses a block into a new array of exactly the compressed size. */
  byte[] compress(byte[] raw, int offset, int length) {
    BlockCompressor lent = idle.pollFirst();
    BlockCompressor compressor = lent == null ? codec.newCompressor() : lent;
    long begun = System.nanoTime();
    byte[] compressed;
    try {
      compressed = compressor.compress(raw, offset, length);
    } catch (RuntimeException | Error e) {
      compressor.close();
      throw e;
    }
    busyNanos.add(System.nanoTime() - begun);
    idle.addFirst(compressor);
    if (closed) {
      freeIdle();
    }
    return compressed;
  }

  private void freeIdle() {
    for (BlockCompressor free = idle.pollFirst(); free != null; free = idle.pollFirst()) {
      free.close();
    }
  }
}
