package io.tidemark.connect.pipeline;

import io.tidemark.store.MonotonicClock;

/**
 * Limits the records per second of a task, over all its topic-partitions. The records of one second
 * may arrive together. All records of a put() are accepted: if they exceed the limit, the task
 * pauses for correspondingly longer. Called by the task's thread only.
 */
final class RateLimit {
  private static final long MILLI = 1_000;

  // Longer than any pause, and small enough that the product does not overflow.
  private static final long MOST_ELAPSED_MS = 1_000_000;

  private final long recordsPerSecond;
  private final MonotonicClock clock;

  // In thousandths of a record: each millisecond adds recordsPerSecond thousandths. Negative if
  // more records were accepted than the limit allows.
  private long available;
  private long filledMs;

  /** {@code recordsPerSecond} is from 1 to 1,000,000,000, or 0 for no limit. */
  RateLimit(long recordsPerSecond, MonotonicClock clock) {
    this.recordsPerSecond = recordsPerSecond;
    this.clock = clock;
    this.available = MILLI * recordsPerSecond;
    this.filledMs = clock.millis();
  }

  void count() {
    available -= MILLI;
  }

  /** Adds the records that the elapsed time allows. Call it at the end of each put(). */
  void refill() {
    long nowMs = clock.millis();
    long elapsedMs = Math.min(nowMs - filledMs, MOST_ELAPSED_MS);
    filledMs = nowMs;
    available = Math.min(MILLI * recordsPerSecond, available + elapsedMs * recordsPerSecond);
  }

  boolean pausing() {
    return recordsPerSecond > 0 && available < 0;
  }

  /** Returns the remaining pause; 0 if the task need not pause. */
  long lastsMs() {
    return pausing() ? -Math.floorDiv(available, recordsPerSecond) : 0;
  }

  String because() {
    return pausing()
        ? "rate.records.per.second=%d is exceeded: paused for another %d ms"
            .formatted(recordsPerSecond, lastsMs())
        : "";
  }
}
