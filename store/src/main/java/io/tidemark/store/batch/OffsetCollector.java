package io.tidemark.store.batch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Collects offsets of one class while a batch is open, in ascending order. Not thread-safe. */
public final class OffsetCollector {
  private long[] bounds = new long[8];
  private int count;

  /** Adds the offsets [first, next), which must be above all earlier ones. */
  public void add(long first, long next) {
    if (count > 0 && bounds[count - 1] == first) {
      bounds[count - 1] = next;
      return;
    }
    if (count + 2 > bounds.length) {
      bounds = Arrays.copyOf(bounds, bounds.length * 2);
    }
    bounds[count++] = first;
    bounds[count++] = next;
  }

  /** Returns the number of ranges, not of offsets. */
  public int size() {
    return count / 2;
  }

  /** Returns the last offset plus one; 0 if there are no offsets. */
  public long end() {
    return count == 0 ? 0 : bounds[count - 1];
  }

  public OffsetRanges ranges() {
    List<OffsetRange> ranges = new ArrayList<>(count / 2);
    for (int i = 0; i < count; i += 2) {
      ranges.add(new OffsetRange(bounds[i], bounds[i + 1]));
    }
    return new OffsetRanges(ranges);
  }
}
