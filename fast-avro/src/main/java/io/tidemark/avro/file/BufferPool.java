package io.tidemark.avro.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Arrays of which blocks and their remainders are made, lent and used again: a new one would have
 * to be cleared first, and collected afterwards.
 *
 * <p>An array is up to a quarter longer than asked for. Small and huge ones are made anew and not
 * kept. Safe for use by many threads; an array has one user at a time, and who does not give it
 * back leaves it to the garbage collector.
 */
final class BufferPool {
  private static final int LEAST_SHIFT = 12;
  private static final int LEAST_BYTES = 1 << LEAST_SHIFT;
  private static final int MOST_SHIFT = 20;
  private static final int MOST_BYTES = 1 << MOST_SHIFT;

  /** How many lengths there are from one power of two to the next. */
  private static final int STEPS_SHIFT = 2;

  private static final int STEPS = 1 << STEPS_SHIFT;

  private final long keptBytes;
  private final AtomicLong idleBytes = new AtomicLong();
  private final List<Queue<byte[]>> idle = new ArrayList<>();

  /** Keeps idle arrays of so many bytes together. */
  BufferPool(long keptBytes) {
    this.keptBytes = keptBytes;
    for (int i = 0; i <= (MOST_SHIFT - LEAST_SHIFT) * STEPS; i++) {
      idle.add(new ConcurrentLinkedQueue<>());
    }
  }

  /** An array of at least a length; what it holds is of no meaning. */
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

  /** Takes an array that was borrowed here, and is not used any more. */
  void giveBack(byte[] array) {
    if (isKept(array.length)) {
      if (idleBytes.addAndGet(array.length) <= keptBytes) {
        queue(array.length).add(array);
      } else {
        idleBytes.addAndGet(-array.length);
      }
    }
  }

  /** Lets the idle arrays go. */
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
