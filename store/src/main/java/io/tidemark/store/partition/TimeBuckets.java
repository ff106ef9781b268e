package io.tidemark.store.partition;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * The Hive partitions of time buckets; each part of a bucket is formatted once. Not thread-safe.
 *
 * <p>A {@code Bucket} is a part of a time bucket with one zone offset. If the offset changes inside
 * a time bucket, there are two parts. So membership needs only two comparisons, also on the day of
 * a change. The last part is tried first. Older parts are in a table that is indexed by the
 * bucket's number. A collision overwrites the older part.
 */
final class TimeBuckets implements PartitionAssigner {
  /** With buckets of an hour, a backfill of up to 341 days has no collision. */
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

  /** The zone's offset in the last bucket. It affects only the choice of the slot. */
  private long slotOffsetMs;

  TimeBuckets(PathFormat format, ZoneId zone, long durationMs) {
    this.format = format;
    this.zone = zone;
    this.rules = zone.getRules();
    this.durationMs = durationMs;
  }

  @Override
  public HivePartition assign(long epochMillis) throws UnusablePartitionException {
    if (!last.contains(epochMillis)) {
      last = find(UnusablePartitionException.requireInstant(epochMillis));
    }
    return last.partition();
  }

  private Bucket find(long epochMillis) throws UnusablePartitionException {
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

  private Bucket make(long epochMillis) throws UnusablePartitionException {
    Instant instant = Instant.ofEpochMilli(epochMillis);
    ZoneOffset offset = rules.getOffset(instant);
    long offsetMs = offset.getTotalSeconds() * 1000L;
    slotOffsetMs = offsetMs;
    long localStart =
        UnusablePartitionException.requireUsable(
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
   * Returns the time that is formatted as the path of a bucket: its start, in milliseconds as if it
   * were in UTC, or if the zone skips that local time, a time later by the length of the jump. The
   * offset decides a start that occurs twice.
   */
  static ZonedDateTime start(long localStart, ZoneId zone, ZoneOffset offset) {
    LocalDateTime start = LocalDateTime.ofInstant(Instant.ofEpochMilli(localStart), ZoneOffset.UTC);
    return ZonedDateTime.ofLocal(start, zone, offset);
  }
}
