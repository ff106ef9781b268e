package io.tidemark.store.batch;

/** From {@code first} up to, not including, {@code next}. Example: {@code [0, 250000)}. */
public record OffsetRange(long first, long next) {

  public OffsetRange {
    if (first < 0 || next < first) {
      throw new IllegalArgumentException("not a range of offsets: [" + first + ", " + next + ")");
    }
  }

  public long size() {
    return next - first;
  }

  public boolean contains(long offset) {
    return offset >= first && offset < next;
  }

  @Override
  public String toString() {
    return "[" + first + ", " + next + ")";
  }
}
