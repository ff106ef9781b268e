package io.tidemark.connect.pipeline;

import io.tidemark.connect.time.MonotonicClock;

/**
 * How many records a task may take in, over all its topic-partitions. A second's records may come
 * at once. What a put() brings is taken in whole: what it brings too much is a debt, and no record
 * is taken until it has been paid off. Used by the task's thread only.
 */
final class RateLimit {
  private static final long MILLI = 1_000;

  // Longer than any debt, and short enough to be multiplied.
  private static final long MOST_ELAPSED_MS = 1_000_000;

  private final long recordsPerSecond;
  private final MonotonicClock clock;

  // In thousandths of a record, of which as many come each millisecond as records each second.
  private long available;
  private long lookedMs;

  /**
   * Begins with a second's records.
   *
   * @param recordsPerSecond from 1 to 1,000,000,000
   */
  RateLimit(long recordsPerSecond, MonotonicClock clock) {
    this.recordsPerSecond = recordsPerSecond;
    this.clock = clock;
    this.available = MILLI * recordsPerSecond;
    this.lookedMs = clock.millis();
  }

  /** A record was taken in. */
  void count() {
    available -= MILLI;
  }

  /** Looks at the clock; to be called at the end of each put(). */
  void look() {
    long nowMs = clock.millis();
    long elapsedMs = Math.min(nowMs - lookedMs, MOST_ELAPSED_MS);
    lookedMs = nowMs;
    available = Math.min(MILLI * recordsPerSecond, available + elapsedMs * recordsPerSecond);
  }

  /** No records should be taken. */
  boolean pausing() {
    return available < 0;
  }

  /** How long the debt lasts, in milliseconds; 0 where there is none. */
  long lastsMs() {
    return pausing() ? -Math.floorDiv(available, recordsPerSecond) : 0;
  }

  /** Why no records are taken; empty when they are. */
  String because() {
    return pausing()
        ? "rate.records.per.second=%d: as many as it allows for %d ms were taken"
            .formatted(recordsPerSecond, lastsMs())
        : "";
  }
}
