package io.tidemark.avro.file;

import io.tidemark.avro.plan.TableDatums;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * A pool of byte arrays for blocks and tails, and of the buffers in which blocks are filled. A new
 * array would have to be cleared before use, and garbage collected after it.
 *
 * <p>An array is up to a quarter longer than requested. Small and huge arrays are always new and
 * not kept. Safe for use by many threads. An array or buffer has one user at a time. One that is
 * not given back is garbage collected.
 */
final class BufferPool {
  private static final int FIRST_DATUMS_BYTES = 1_024;
  private static final int LEAST_SHIFT = 12;
  private static final int LEAST_BYTES = 1 << LEAST_SHIFT;
  private static final int MOST_SHIFT = 20;
  private static final int MOST_BYTES = 1 << MOST_SHIFT;

  /** The number of lengths from one power of two to the next, as a shift. */
  private static final int STEPS_SHIFT = 2;

  private static final int STEPS = 1 << STEPS_SHIFT;

  private final LongSupplier idleLimit;
  private final AtomicLong idleBytes = new AtomicLong();
  private final List<Queue<byte[]>> idle = new ArrayList<>();
  private final Queue<TableDatums> idleDatums = new ConcurrentLinkedQueue<>();

  /** Creates an empty pool that keeps idle arrays and buffers up to a total size in bytes. */
  BufferPool(LongSupplier idleLimit) {
    this.idleLimit = idleLimit;
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
      dropSurplus();
      return new byte[rounded];
    }
    idleBytes.addAndGet(-rounded);
    return kept;
  }

  /** Takes back an array that was borrowed here and is not used any more. */
  void giveBack(byte[] array) {
    if (isKept(array.length) && reserveIdle(array.length)) {
      queue(array.length).add(array);
    }
  }

  /** Returns an empty buffer, in which blocks are filled. */
  TableDatums borrowDatums() {
    TableDatums kept = idleDatums.poll();
    if (kept == null) {
      return new TableDatums(FIRST_DATUMS_BYTES);
    }
    idleBytes.addAndGet(-kept.bytes().length);
    return kept;
  }

  /** Takes back a buffer that is not used any more. It is kept if it is not too large. */
  void giveBack(TableDatums buffer) {
    int length = buffer.bytes().length;
    if (length <= MOST_BYTES && reserveIdle(length)) {
      buffer.clear();
      idleDatums.add(buffer);
    }
  }

  /** Drops the idle arrays and buffers. */
  void clear() {
    for (Queue<byte[]> queue : idle) {
      for (byte[] array = queue.poll(); array != null; array = queue.poll()) {
        idleBytes.addAndGet(-array.length);
      }
    }
    for (TableDatums each = idleDatums.poll(); each != null; each = idleDatums.poll()) {
      idleBytes.addAndGet(-each.bytes().length);
    }
  }

  private boolean reserveIdle(int bytes) {
    if (idleBytes.addAndGet(bytes) <= idleLimit.getAsLong()) {
      return true;
    }
    idleBytes.addAndGet(-bytes);
    return false;
  }

  /** Drops idle arrays, the largest first, while they exceed a limit that has decreased. */
  private void dropSurplus() {
    for (int i = idle.size() - 1; i >= 0; i--) {
      while (idleBytes.get() > idleLimit.getAsLong()) {
        byte[] dropped = idle.get(i).poll();
        if (dropped == null) {
          break;
        }
        idleBytes.addAndGet(-dropped.length);
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
