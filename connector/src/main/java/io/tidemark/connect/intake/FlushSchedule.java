package io.tidemark.connect.intake;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/**
 * The times of the day at which a task flushes, according to the worker's clock: midnight in a time
 * zone, and every interval of 1 ms to a day after it. Example for 10 hours: 00:00, 10:00, 20:00.
 */
public record FlushSchedule(long intervalMs, ZoneId zone) {

  public FlushSchedule {
    if (intervalMs < 1) {
      throw new IllegalArgumentException(
          "the flush interval must be at least 1 ms: " + intervalMs + " ms");
    }
  }

  /** Returns the first time after {@code nowMs}, both in milliseconds since the epoch. */
  public long after(long nowMs) {
    ZonedDateTime day = Instant.ofEpochMilli(nowMs).atZone(zone).toLocalDate().atStartOfDay(zone);
    long begin = day.toInstant().toEpochMilli();
    long nextDay = day.toLocalDate().plusDays(1).atStartOfDay(zone).toInstant().toEpochMilli();
    long next = begin + ((nowMs - begin) / intervalMs + 1) * intervalMs;
    return Math.min(next, nextDay);
  }
}
