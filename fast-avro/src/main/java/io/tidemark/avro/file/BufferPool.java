package io.tidemark.avro.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pool of byte arrays for blocks and tails. A new array would have to be cleared before use, and
 * garbage collected after it.
 *
 * <p>An array is up to a quarter longer than requested. Small and huge arrays are always new and
 * not kept. Safe for use by many threads. An array has one user at a time. An array that is not
 * given back is garbage collected.
 */
final class BufferPool {
  private static final int LEAST_SHIFT = 12;
  private static final int LEAST_BYTES = 1 << LEAST_SHIFT;
  private static final int MOST_SHIFT = 20;
  private static final int MOST_BYTES = 1 << MOST_SHIFT;

  /** The number of lengths from one power of two to the next, as a shift. */
  private static final int STEPS_SHIFT = 2;

  private static final int STEPS = 1 << STEPS_SHIFT;

  private final long keptBytes;
  private final AtomicLong idleBytes = new AtomicLong();
  private final List<Queue<byte[]>> idle = new ArrayList<>();

  /** Keeps idle arrays of up to this many bytes in total. */
  BufferPool(long keptBytes) {
    this.keptBytes = keptBytes;
    for (int i = 0; i <= (MOST_SHIFT - LEAST_SHIFT) * STEPS; i++) {
      idle.add(new ConcurrentLinkedQueue<>());
    }
  }

  /** Returns an array of at least this length, with undefined content. */
  byte[] borrow(int length) {
    if (!isKept(length)) {
      return new byte[length];
    }
    int unit = Integer.highestOneBit(length) / STEPS;
    int rounded = (length + unit - 1) & -unit;
    byte[] kept = queue(rounded).poll();
    if (kept == null) {
      return new byte[rounded];
    }
    idleBytes.addAndGet(-rounded);
    return kept;
  }

  /** Takes back an array that was borrowed here and is not used any more. */
  void giveBack(byte[] array) {
    if (isKept(array.length)) {
      if (idleBytes.addAndGet(array.length) <= keptBytes) {
        queue(array.length).add(array);
      } else {
        idleBytes.addAndGet(-array.length);
      }
    }
  }

  /** Drops the idle arrays. */
  void clear() {
    for (Queue<byte[]> queue : idle) {
      for (byte[] array = queue.poll(); array != null; array = queue.poll()) {
        idleBytes.addAndGet(-array.length);
      }
    }
  }

  private static boolean isKept(int length) {
    return length >= LEAST_BYTES && length <= MOST_BYTES;
  }

  private Queue<byte[]> queue(int rounded) {
    int shift = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(rounded);
    int step = (rounded >> (shift - STEPS_SHIFT)) - STEPS;
    return idle.get((shift - LEAST_SHIFT) * STEPS + step);
  }
}
