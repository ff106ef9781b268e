package io.tidemark.store.batch;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Offsets as ranges, in ascending order and not adjacent. Text: {@code 17,20-25} */
public record OffsetRanges(List<OffsetRange> ranges) {

  public static final OffsetRanges NONE = new OffsetRanges(List.of());

  public OffsetRanges {
    ranges = List.copyOf(ranges);
    long last = -1;
    for (OffsetRange range : ranges) {
      if (range.first() <= last || range.size() == 0) {
        throw new IllegalArgumentException(
            range + " does not come after offset " + last + ", or is empty");
      }
      last = range.next();
    }
  }

  /** Returns the ranges of single offsets, which may be in any order but not repeated. */
  public static OffsetRanges of(long... offsets) {
    long[] sorted = offsets.clone();
    Arrays.sort(sorted);
    OffsetCollector collected = new OffsetCollector();
    for (long offset : sorted) {
      collected.add(offset, offset + 1);
    }
    return collected.ranges();
  }

  @JsonCreator
  public static OffsetRanges parse(String text) {
    List<OffsetRange> ranges = new ArrayList<>();
    for (String range : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int dash = range.indexOf('-');
      long first = Long.parseLong(dash < 0 ? range : range.substring(0, dash));
      long last = dash < 0 ? first : Long.parseLong(range.substring(dash + 1));
      ranges.add(new OffsetRange(first, last + 1));
    }
    return new OffsetRanges(ranges);
  }

  public long size() {
    return ranges.stream().mapToLong(OffsetRange::size).sum();
  }

  /** Returns these offsets and {@code others}, which must not overlap. */
  public OffsetRanges plus(OffsetRanges others) {
    List<OffsetRange> both = new ArrayList<>(ranges);
    both.addAll(others.ranges);
    both.sort(Comparator.comparingLong(OffsetRange::first));
    OffsetCollector joined = new OffsetCollector();
    both.forEach(range -> joined.add(range.first(), range.next()));
    return joined.ranges();
  }

  /** Returns the offsets of {@code range} without these, which must be within it. */
  public OffsetRanges othersIn(OffsetRange range) {
    List<OffsetRange> others = new ArrayList<>();
    long from = range.first();
    for (OffsetRange each : ranges) {
      others.add(new OffsetRange(from, each.first()));
      from = each.next();
    }
    others.add(new OffsetRange(from, range.next()));
    return new OffsetRanges(others.stream().filter(each -> each.size() > 0).toList());
  }

  public boolean within(OffsetRange range) {
    return ranges.isEmpty()
        || (ranges.get(0).first() >= range.first()
            && ranges.get(ranges.size() - 1).next() <= range.next());
  }

  public OffsetRanges below(long offset) {
    return within(0, offset);
  }

  public OffsetRanges from(long offset) {
    return within(offset, Long.MAX_VALUE);
  }

  private OffsetRanges within(long first, long next) {
    return new OffsetRanges(
        ranges.stream()
            .filter(each -> each.first() < next && each.next() > first)
            .map(
                each -> new OffsetRange(Math.max(each.first(), first), Math.min(each.next(), next)))
            .toList());
  }

  @Override
  @JsonValue
  public String toString() {
    return ranges.stream()
        .map(r -> r.size() == 1 ? Long.toString(r.first()) : r.first() + "-" + (r.next() - 1))
        .collect(Collectors.joining(","));
  }
}
