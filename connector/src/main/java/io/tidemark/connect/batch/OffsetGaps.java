package io.tidemark.connect.batch;

import java.util.Arrays;

/**
 * Offsets inside a batch that were not delivered, as ranges in ascending order. Used by one thread
 * at a time.
 */
public final class OffsetGaps {
  private long[] bounds = new long[8];
  private int count;
  private long size;

  /** Adds the gap [first, next), which lies above those before. */
  public void add(long first, long next) {
    if (count + 2 > bounds.length) {
      bounds = Arrays.copyOf(bounds, bounds.length * 2);
    }
    bounds[count++] = first;
    bounds[count++] = next;
    size += next - first;
  }

  /** The number of offsets in all gaps. */
  public long size() {
    return size;
  }

  /** The number of offsets in all gaps that are smaller than {@code offset}. */
  public long sizeBelow(long offset) {
    long below = 0;
    for (int i = 0; i < count && bounds[i] < offset; i += 2) {
      below += Math.min(bounds[i + 1], offset) - bounds[i];
    }
    return below;
  }
}
