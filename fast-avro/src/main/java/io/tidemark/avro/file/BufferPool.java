package io.tidemark.avro.file;

import io.tidemark.avro.plan.TableDatums;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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

  /** Buffers above this size are large. Few are kept, because they are lent first. */
  private static final int SMALL_DATUMS_BYTES = 16 << 10;

  /**
   * Largest size of datums that are copied into a small buffer. A buffer that grows for them stays
   * small, as it grows by half.
   */
  private static final int COMPACTED_BYTES = SMALL_DATUMS_BYTES / 2;

  private static final int LARGE_DATUMS = 32;
  private static final int LEAST_SHIFT = 12;
  private static final int LEAST_BYTES = 1 << LEAST_SHIFT;
  private static final int MOST_SHIFT = 20;
  private static final int MOST_BYTES = 1 << MOST_SHIFT;

  /** The number of lengths from one power of two to the next, as a shift. */
  private static final int STEPS_SHIFT = 2;

  private static final int STEPS = 1 << STEPS_SHIFT;

  private final LongSupplier idleLimit;

  // Guarded by this object's monitor.
  private final List<Deque<byte[]>> idle = new ArrayList<>();
  private final Deque<TableDatums> smallDatums = new ArrayDeque<>();
  private final Deque<TableDatums> largeDatums = new ArrayDeque<>();
  private long idleBytes;

  /** Creates an empty pool that keeps idle arrays and buffers up to a total size in bytes. */
  BufferPool(LongSupplier idleLimit) {
    this.idleLimit = idleLimit;
    for (int i = 0; i <= (MOST_SHIFT - LEAST_SHIFT) * STEPS; i++) {
      idle.add(new ArrayDeque<>());
    }
  }

  /** Returns an array of at least this length, with undefined content. */
  byte[] borrow(int length) {
    if (!isKept(length)) {
      return new byte[length];
    }
    int unit = Integer.highestOneBit(length) / STEPS;
    int rounded = (length + unit - 1) & -unit;
    byte[] kept = pollArray(rounded);
    return kept == null ? new byte[rounded] : kept;
  }

  private synchronized byte @Nullable [] pollArray(int length) {
    byte[] kept = arrays(length).pollFirst();
    if (kept == null) {
      dropSurplus();
    } else {
      idleBytes -= length;
    }
    return kept;
  }

  /** Takes back an array that was borrowed here and is not used any more. */
  synchronized void giveBack(byte[] array) {
    if (isKept(array.length) && hasRoomFor(array.length)) {
      arrays(array.length).addFirst(array);
      idleBytes += array.length;
    }
  }

  /** Returns an empty buffer, in which blocks are filled: a large one if there is one. */
  TableDatums borrowDatums() {
    TableDatums kept = pollDatums();
    return kept == null ? new TableDatums(FIRST_DATUMS_BYTES) : kept;
  }

  private synchronized @Nullable TableDatums pollDatums() {
    TableDatums large = largeDatums.pollFirst();
    TableDatums kept = large == null ? smallDatums.pollFirst() : large;
    if (kept == null) {
      dropSurplus();
    } else {
      idleBytes -= kept.bytes().length;
    }
    return kept;
  }

  /** Takes back a buffer that is not used any more. It is kept if it is not too large. */
  synchronized void giveBack(TableDatums buffer) {
    int length = buffer.bytes().length;
    boolean large = isLarge(buffer);
    if (length <= MOST_BYTES
        && hasRoomFor(length)
        && !(large && largeDatums.size() == LARGE_DATUMS)) {
      buffer.clear();
      (large ? largeDatums : smallDatums).addFirst(buffer);
      idleBytes += length;
    }
  }

  /**
   * Returns a buffer with the same datums, for a user that keeps it for a while. Most of a large
   * buffer would be unused, so a few datums are copied into a small one.
   */
  TableDatums compacted(TableDatums buffer) {
    int size = buffer.size();
    int length = buffer.bytes().length;
    boolean few = size <= COMPACTED_BYTES || (length > MOST_BYTES && size <= length / 4);
    if (!isLarge(buffer) || !few) {
      return buffer;
    }
    TableDatums kept = size <= COMPACTED_BYTES ? pollSmall() : null;
    TableDatums small = kept == null ? new TableDatums(size) : kept;
    System.arraycopy(buffer.bytes(), 0, small.reserve(size), 0, size);
    small.add(size);
    giveBack(buffer);
    return small;
  }

  private synchronized @Nullable TableDatums pollSmall() {
    TableDatums kept = smallDatums.pollFirst();
    if (kept != null) {
      idleBytes -= kept.bytes().length;
    }
    return kept;
  }

  private static boolean isLarge(TableDatums buffer) {
    return buffer.bytes().length > SMALL_DATUMS_BYTES;
  }

  /** Drops the idle arrays and buffers. */
  synchronized void clear() {
    idle.forEach(Deque::clear);
    smallDatums.clear();
    largeDatums.clear();
    idleBytes = 0;
  }

  private boolean hasRoomFor(int bytes) {
    return idleBytes + bytes <= idleLimit.getAsLong();
  }

  /** Drops idle arrays and buffers, the largest first, while they exceed a lower limit. */
  private void dropSurplus() {
    long limit = idleLimit.getAsLong();
    for (int i = idle.size() - 1; i >= 0 && idleBytes > limit; i--) {
      Deque<byte[]> arrays = idle.get(i);
      while (idleBytes > limit && !arrays.isEmpty()) {
        idleBytes -= arrays.removeFirst().length;
      }
    }
    dropSurplus(largeDatums, limit);
    dropSurplus(smallDatums, limit);
  }

  private void dropSurplus(Deque<TableDatums> buffers, long limit) {
    while (idleBytes > limit && !buffers.isEmpty()) {
      idleBytes -= buffers.removeFirst().bytes().length;
    }
  }

  private static boolean isKept(int length) {
    return length >= LEAST_BYTES && length <= MOST_BYTES;
  }

  private Deque<byte[]> arrays(int rounded) {
    int shift = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(rounded);
    int step = (rounded >> (shift - STEPS_SHIFT)) - STEPS;
    return idle.get((shift - LEAST_SHIFT) * STEPS + step);
  }
}
