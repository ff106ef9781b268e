package io.tidemark.avro.file;

import io.tidemark.avro.plan.TableDatums;
import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.LongAdder;

/**
 * A pool of the compressors of one codec, and of the buffers of blocks. Share one pool among all
 * writers of a process that use the codec.
 *
 * <p>A compressor is lent for one block, and a buffer for one chunk. The pool creates a compressor
 * when all others are in use. Safe for use by many threads. Closing frees the native memory of the
 * compressors. Blocks can still be compressed after that, but no compressor is kept.
 */
public final class CompressorPool implements AutoCloseable {
  private static final int FIRST_BUFFER_BYTES = 4096;
  private static final int KEPT_BUFFERS = 32;
  private static final int KEPT_BUFFER_BYTES = 1 << 20;
  private static final long KEPT_BLOCK_BYTES = 8L << 20;

  private final BlockCodec codec;
  private final Deque<BlockCompressor> idle = new ConcurrentLinkedDeque<>();
  private final Queue<TableDatums> idleBuffers = new ArrayBlockingQueue<>(KEPT_BUFFERS);
  private final BufferPool buffers = new BufferPool(KEPT_BLOCK_BYTES);
  private final LongAdder busyNanos = new LongAdder();
  private volatile boolean closed;

  /** Creates an empty pool. */
  public CompressorPool(BlockCodec codec) {
    this.codec = codec;
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
  TableDatums borrowBuffer() {
    TableDatums idleBuffer = idleBuffers.poll();
    return idleBuffer == null ? new TableDatums(FIRST_BUFFER_BYTES) : idleBuffer;
  }

  /** Takes back a buffer that is not used any more. It is kept if it is not too large. */
  void giveBack(TableDatums buffer) {
    if (!closed && buffer.bytes().length <= KEPT_BUFFER_BYTES) {
      buffer.removeFirst(buffer.size());
      idleBuffers.offer(buffer);
    }
  }

  private void freeIdle() {
    idleBuffers.clear();
    buffers.clear();
    for (BlockCompressor free = idle.pollFirst(); free != null; free = idle.pollFirst()) {
      free.close();
    }
  }
}
