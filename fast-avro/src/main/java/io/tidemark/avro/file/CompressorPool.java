package io.tidemark.avro.file;

import io.tidemark.avro.plan.TableDatums;
import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * A pool of the compressors of one codec, and of the buffers of blocks. Share one pool among all
 * writers of a process that use the codec.
 *
 * <p>A compressor is borrowed for one block, and a buffer for one chunk. The pool creates a
 * compressor when all others are in use. Safe for use by many threads. Closing frees the native
 * memory of the compressors. Blocks can still be compressed after that, but no compressor is kept.
 */
public final class CompressorPool implements AutoCloseable {
  private static final long IDLE_BYTES = 8L << 20;

  private final BlockCodec codec;
  private final Deque<BlockCompressor> idle = new ConcurrentLinkedDeque<>();
  private final BufferPool buffers;
  private final LongAdder busyNanos = new LongAdder();
  private volatile boolean closed;

  /** Creates an empty pool, which keeps up to 8 MiB of idle buffers. */
  public CompressorPool(BlockCodec codec) {
    this(codec, () -> IDLE_BYTES);
  }

  /**
   * Creates an empty pool.
   *
   * @param idleLimit returns the maximum size of idle buffers in bytes at present. Buffers that
   *     exceed it are garbage collected. Any thread calls it, often
   */
  public CompressorPool(BlockCodec codec, LongSupplier idleLimit) {
    this(codec, new BufferPool(idleLimit));
  }

  private CompressorPool(BlockCodec codec, BufferPool buffers) {
    this.codec = codec;
    this.buffers = buffers;
  }

  /**
   * Returns a new pool for another codec. Both pools share their buffers. The caller must close
   * both.
   */
  public CompressorPool with(BlockCodec other) {
    return new CompressorPool(other, buffers);
  }

  /** Returns the codec of all compressors. */
  public BlockCodec codec() {
    return codec;
  }

  /** Returns the time spent on compression, in ns of wall-clock time, summed over all threads. */
  public long busyNanos() {
    return busyNanos.sum();
  }

  @Override
  public void close() {
    closed = true;
    freeIdle();
  }

  /**
   * Compresses records into a block.
   *
   * @param firstRecord the index of the block's first record in the file
   * @throws BlockFailedException if the records cannot be compressed
   */
  Block block(long firstRecord, long records, byte[] raw, int offset, int length) {
    try {
      return compress(records, raw, offset, length);
    } catch (RuntimeException | Error e) {
      throw new BlockFailedException(codec, firstRecord, firstRecord + records - 1, e);
    }
  }

  /** Compresses records into a block. */
  Block compress(long records, byte[] raw, int offset, int length) {
    BlockCompressor lent = idle.pollFirst();
    BlockCompressor compressor = lent == null ? codec.newCompressor() : lent;
    long begun = System.nanoTime();
    Block block;
    try {
      ByteBuffer compressed = compressor.compress(raw, offset, length);
      int bytes = compressed.remaining();
      byte[] kept = buffers.borrow(bytes);
      compressed.get(kept, 0, bytes);
      block = new Block(records, length, kept, bytes, buffers);
    } catch (RuntimeException | Error e) {
      compressor.close();
      throw e;
    }
    busyNanos.add(System.nanoTime() - begun);
    idle.addFirst(compressor);
    if (closed) {
      freeIdle();
    }
    return block;
  }

  /** Returns the pool of arrays for blocks and tails. */
  BufferPool buffers() {
    return buffers;
  }

  /** Returns an empty buffer, in which blocks are filled. */
  TableDatums borrowDatums() {
    return buffers.borrowDatums();
  }

  /** Takes back a buffer that is not used any more. */
  void giveBack(TableDatums buffer) {
    if (!closed) {
      buffers.giveBack(buffer);
    }
  }

  private void freeIdle() {
    buffers.clear();
    for (BlockCompressor free = idle.pollFirst(); free != null; free = idle.pollFirst()) {
      free.close();
    }
  }
}
