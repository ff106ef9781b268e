package io.tidemark.connect.table.partition;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * The Hive partitions of time buckets, formatted once a bucket. Not thread-safe.
 *
 * <p>A bucket is a span of instants that share a zone offset and a local start. Where the offset
 * changes inside a bucket, the bucket is cut in two, so that membership is two comparisons and
 * still right on the day of a change. The last bucket is tried first; older ones stay in a table
 * that is indexed by the bucket's number and overwritten on a clash.
 */
final class TimeBuckets implements PartitionAssigner {
  /** So many hours of a backfill can take turns: nearly a year of them. */
  private static final int SLOTS = 1 << 13;

  private record Bucket(long from, long until, HivePartition partition) {
    boolean contains(long epochMillis) {
      return from <= epochMillis && epochMillis < until;
    }
  }

  private final PathFormat format;
  private final ZoneId zone;
  private final ZoneRules rules;
  private final long durationMs;
  private final @Nullable Bucket[] slots = new @Nullable Bucket[SLOTS];
  private Bucket last = new Bucket(0, 0, HivePartition.WHOLE_TABLE);

  /** The zone's offset at the last bucket: only a hint to the slot, never to the result. */
  private long slotOffsetMs;

  TimeBuckets(PathFormat format, ZoneId zone, long durationMs) {
    this.format = format;
    this.zone = zone;
    this.rules = zone.getRules();
    this.durationMs = durationMs;
  }

  @Override
  public HivePartition assign(long epochMillis) throws UnusableTimestampException {
    if (!last.contains(epochMillis)) {
      last = find(UnusableTimestampException.requireInstant(epochMillis));
    }
    return last.partition();
  }

  private Bucket find(long epochMillis) throws UnusableTimestampException {
    Bucket known = slots[slot(epochMillis)];
    if (known != null && known.contains(epochMillis)) {
      return known;
    }
    Bucket made = make(epochMillis);
    slots[slot(epochMillis)] = made;
    return made;
  }

  private int slot(long epochMillis) {
    return Math.floorMod(Math.floorDiv(epochMillis + slotOffsetMs, durationMs), SLOTS);
  }

  private Bucket make(long epochMillis) throws UnusableTimestampException {
    Instant instant = Instant.ofEpochMilli(epochMillis);
    ZoneOffset offset = rules.getOffset(instant);
    long offsetMs = offset.getTotalSeconds() * 1000L;
    slotOffsetMs = offsetMs;
    long localStart =
        UnusableTimestampException.requireUsable(
            Math.floorDiv(epochMillis + offsetMs, durationMs) * durationMs);
    long from = localStart - offsetMs;
    long until = from + durationMs;
    ZoneOffsetTransition before = rules.previousTransition(instant.plusNanos(1));
    if (before != null) {
      from = Math.max(from, before.toEpochSecond() * 1000);
    }
    ZoneOffsetTransition after = rules.nextTransition(instant);
    if (after != null) {
      until = Math.min(until, after.toEpochSecond() * 1000);
    }
    return new Bucket(from, until, format.format(start(localStart, zone, offset)));
  }

  /**
   * The time that the path of a bucket is written of: its start, or where the zone has no such
   * time, one as much later as the clock jumped.
   *
   * @param localStart in ms, as if it were of UTC
   * @param offset of the records in the bucket, where the start has two
   */
  static ZonedDateTime start(long localStart, ZoneId zone, ZoneOffset offset) {
    LocalDateTime start =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(localStart, 1000L),
            Math.floorMod(localStart, 1000) * 1_000_000,
            ZoneOffset.UTC);
    return ZonedDateTime.ofLocal(start, zone, offset);
  }
}
