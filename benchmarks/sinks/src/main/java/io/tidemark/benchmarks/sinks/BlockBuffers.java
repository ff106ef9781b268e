package io.tidemark.benchmarks.sinks;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The buffers of blocks, which are used again. Their sizes double from 4 KiB to one and a half
 * blocks, so that thousands of files with few records need little memory. Safe for use by several
 * threads.
 */
final class BlockBuffers {
  private static final int LEAST_BYTES = 4_096;

  /** A size, and the buffers of this size that are not in use. */
  private record Size(int bytes, Queue<byte[]> idle) {
    Size(int bytes) {
      this(bytes, new ConcurrentLinkedQueue<>());
    }
  }

  private final List<Size> sizes = new ArrayList<>();
  private final int mostBytes;

  /**
   * Creates an empty pool.
   *
   * @param blockSizeBytes the bytes at which a block ends. Its last record needs more room
   */
  BlockBuffers(int blockSizeBytes) {
    mostBytes = blockSizeBytes + blockSizeBytes / 2;
    for (int bytes = LEAST_BYTES; bytes < mostBytes; bytes *= 2) {
      sizes.add(new Size(bytes));
    }
    sizes.add(new Size(mostBytes));
  }

  /** Returns the size of the largest buffers that are used again. */
  int mostBytes() {
    return mostBytes;
  }

  /** Returns a buffer with room for this number of bytes, as small as possible. */
  byte[] take(int bytes) {
    for (Size size : sizes) {
      if (size.bytes >= bytes) {
        byte[] buffer = size.idle.poll();
        return buffer == null ? new byte[size.bytes] : buffer;
      }
    }
    return new byte[bytes];
  }

  /** Returns a larger buffer that begins with the same bytes, and takes the other one back. */
  byte[] grown(byte[] buffer, int filled, int bytes) {
    byte[] larger = take(bytes);
    System.arraycopy(buffer, 0, larger, 0, filled);
    giveBack(buffer);
    return larger;
  }

  /** Takes a buffer back, unless it was made for a record of unusual size. */
  void giveBack(byte[] buffer) {
    for (Size size : sizes) {
      if (size.bytes == buffer.length) {
        size.idle.add(buffer);
      }
    }
  }
}
