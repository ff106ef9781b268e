package io.tidemark.avro.file.read;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a file in order, read ahead and decompressed by a pool. Not thread-safe.
 *
 * <p>An error of a block is thrown when the block is next, not before.
 */
final class BlocksAhead implements Closeable {
  /** No further block is read while this many compressed bytes are read ahead. */
  private static final long MOST_BYTES_AHEAD = 8L << 20;

  private final String name;
  private final String codec;
  private final RawBlocks blocks;
  private final int most;
  private final int maxBlockBytes;
  private final @Nullable Executor pool;
  private final Deque<BlockSlot> ahead = new ArrayDeque<>();
  private final Deque<BlockSlot> idle = new ArrayDeque<>();
  private @Nullable IOException fault;
  private boolean atEnd;

  /**
   * Begins with a file's first block.
   *
   * @param most how many blocks are read ahead, from 1
   * @param pool the threads that decompress; null for the caller's thread
   */
  BlocksAhead(
      String name,
      String codec,
      RawBlocks blocks,
      int most,
      int maxBlockBytes,
      @Nullable Executor pool) {
    this.name = name;
    this.codec = codec;
    this.blocks = blocks;
    this.most = most;
    this.maxBlockBytes = maxBlockBytes;
    this.pool = pool;
  }

  /**
   * Returns the next block, decompressed, or null at the end of the file. The caller must
   * {@linkplain #giveBack give it back}. After an exception, each further call throws it again
   * until the position is changed.
   */
  @Nullable BlockSlot next() throws IOException {
    readAhead();
    BlockSlot first = ahead.peekFirst();
    if (first == null) {
      if (fault != null) {
        throw fault;
      }
      return null;
    }
    first.raw();
    return ahead.removeFirst();
  }

  /** Takes a block's slot back, to read another block into it. */
  void giveBack(BlockSlot slot) {
    slot.abandon();
    idle.addLast(slot);
  }

  /**
   * Moves to the block after the first sync marker that begins at or after a position. Returns the
   * position of the block.
   */
  long sync(long position) throws IOException {
    drop();
    return blocks.sync(position);
  }

  /** Moves to the start of a block. */
  void seek(long position) {
    drop();
    blocks.seek(position);
  }

  private void drop() {
    ahead.forEach(this::giveBack);
    ahead.clear();
    fault = null;
    atEnd = false;
  }

  private void readAhead() {
    long bytes = ahead.stream().mapToLong(BlockSlot::compressedBytes).sum();
    while (!atEnd
        && fault == null
        && ahead.size() < most
        && (ahead.isEmpty() || bytes < MOST_BYTES_AHEAD)) {
      BlockSlot slot = idle.pollFirst();
      if (slot == null) {
        slot = new BlockSlot(name, BlockDecompressor.of(codec, maxBlockBytes));
      }
      if (read(slot)) {
        ahead.addLast(slot);
        bytes += slot.compressedBytes();
        submit(slot);
      } else {
        idle.addFirst(slot);
      }
    }
  }

  private boolean read(BlockSlot slot) {
    try {
      atEnd = !blocks.read(slot);
      return !atEnd;
    } catch (IOException e) {
      fault = e;
      return false;
    }
  }

  private void submit(BlockSlot slot) {
    if (pool != null) {
      try {
        pool.execute(slot);
      } catch (RejectedExecutionException e) {
        // The reader's thread decompresses the block when it is next.
      }
    }
  }

  @Override
  public void close() throws IOException {
    drop();
    idle.forEach(BlockSlot::close);
    idle.clear();
    blocks.close();
  }
}
