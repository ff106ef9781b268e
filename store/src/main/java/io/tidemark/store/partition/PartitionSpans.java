package io.tidemark.store.partition;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * Computes the span of a Hive partition of a table divided by time. Immutable.
 *
 * <p>Between two changes of the zone's offset, local time advances with the clock. In this period,
 * the buckets that begin within the path's unit, such as its year, are adjacent, and their ends are
 * calculated. At each change of the offset there is at most one irregular bucket: a bucket in which
 * the offset changes, or whose start does not exist in local time. The path of such a bucket is
 * formatted and compared. So a span costs two formatted paths for each change of the offset within
 * it, for any number of buckets.
 *
 * <p>If clocks go back by more than the unit, the same path occurs a second time, for example if it
 * names minutes. The span then extends from the first occurrence to the second, with other paths in
 * between. It must not end while records of the path can still arrive.
 */
record PartitionSpans(PathFormat format, PathUnit unit, ZoneId zone, long durationMs) {

  // Offsets are within 18 hours of UTC, and no clock was ever changed by more than twice that.
  private static final long REACH_MS = 3 * 86_400_000L;

  PartitionSpan at(long epochMillis) throws UnusablePartitionException {
    UnusablePartitionException.requireInstant(epochMillis);
    ZoneOffset offset = zone.getRules().getOffset(Instant.ofEpochMilli(epochMillis));
    long bucketStart =
        UnusablePartitionException.requireUsable(
            bucketStart(epochMillis + offset.getTotalSeconds() * 1000L));
    ZonedDateTime named = TimeBuckets.start(bucketStart, zone, offset);
    return new Search(format.format(named), named.toLocalDateTime().toInstant(ZoneOffset.UTC))
        .span();
  }

  private long bucketStart(long localMs) {
    return Math.floorDiv(localMs, durationMs) * durationMs;
  }

  /** Returns the start of the first bucket at or after a local time. */
  private long nextBucketStart(long localMs) {
    return bucketStart(localMs + durationMs - 1);
  }

  private final class Search {
    private final HivePartition partition;
    private final long unitStart;
    private final long unitEnd;
    private long from = Long.MAX_VALUE;
    private long until = Long.MIN_VALUE;

    /** {@code named} is the local time that was formatted as the path, as if it were in UTC. */
    Search(HivePartition partition, Instant named) {
      this.partition = partition;
      this.unitStart = unit.start(named.toEpochMilli());
      this.unitEnd = unit.end(unitStart);
    }

    PartitionSpan span() {
      ZoneRules rules = zone.getRules();
      Instant at = Instant.ofEpochMilli(unitStart - REACH_MS);
      Instant end = Instant.ofEpochMilli(unitEnd + durationMs + REACH_MS);
      while (at.isBefore(end)) {
        ZoneOffsetTransition change = rules.nextTransition(at);
        Instant next =
            change == null || change.getInstant().isAfter(end) ? end : change.getInstant();
        look(at.toEpochMilli(), next.toEpochMilli(), rules.getOffset(at));
        at = next;
      }
      return new PartitionSpan(partition, Instant.ofEpochMilli(from), Instant.ofEpochMilli(until));
    }

    /** Extends the span by the buckets between two changes of the offset. */
    private void look(long begin, long end, ZoneOffset offset) {
      long offsetMs = offset.getTotalSeconds() * 1000L;
      long localBegin = begin + offsetMs;
      long whole = nextBucketStart(localBegin);
      if (localBegin < whole) {
        addIfNamed(whole - durationMs, offset, begin, Math.min(whole - offsetMs, end));
      }
      long first = Math.max(whole, nextBucketStart(unitStart));
      long last = nextBucketStart(unitEnd);
      if (first < last) {
        addIfNamed(first, offset, first - offsetMs, Math.min(last - offsetMs, end));
      }
    }

    private void addIfNamed(long bucketStart, ZoneOffset offset, long begin, long end) {
      if (begin < end
          && format.format(TimeBuckets.start(bucketStart, zone, offset)).equals(partition)) {
        from = Math.min(from, begin);
        until = Math.max(until, end);
      }
    }
  }
}
