package io.tidemark.avro.file;

import io.tidemark.avro.plan.TableDatums;
import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.LongAdder;

/**
 * The compressors of one codec, with their buffers, lent out for a block at a time and used again
 * for the next; the buffers in which blocks are filled, lent out for a chunk at a time; and the
 * memory of the blocks.
 *
 * <p>Safe for use by many threads; there are as many compressors as threads have compressed at
 * once. Closing frees the memory that they hold outside of the heap. Blocks can still be compressed
 * after that, but no compressor is kept.
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
      return compress(records, raw, offset, length);
    } catch (RuntimeException | Error e) {
      throw new BlockFailedException(codec, firstRecord, firstRecord + records - 1, e);
    }
  }

  /** Makes a block of records. */
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

  /** The memory of blocks, and of records that are to be a part of one. */
  BufferPool buffers() {
    return buffers;
  }

  /** An empty buffer to fill blocks in. */
  TableDatums borrowBuffer() {
    TableDatums idleBuffer = idleBuffers.poll();
    return idleBuffer == null ? new TableDatums(FIRST_BUFFER_BYTES) : idleBuffer;
  }

  /** Takes a buffer that is not used any more, to lend it again if it is not too large. */
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
