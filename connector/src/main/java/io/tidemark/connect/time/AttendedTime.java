package io.tidemark.connect.time;

/**
 * The time for which somebody has waited and looked: of the time between two looks no more than a
 * limit counts. A process that was suspended has waited for nothing meanwhile, and answers may have
 * come that it has not read yet. Used by one thread at a time.
 */
public final class AttendedTime {
  private final MonotonicClock clock;
  private final long longestGapMs;
  private long lookedMs;
  private long attendedMs;

  /** {@code longestGapMs} is the longest time between two looks that counts. */
  public AttendedTime(MonotonicClock clock, long longestGapMs) {
    this.clock = clock;
    this.longestGapMs = longestGapMs;
    this.lookedMs = clock.millis();
  }

  /** Looks: the milliseconds that have counted since this was made. */
  public long millis() {
    long nowMs = clock.millis();
    attendedMs += Math.min(nowMs - lookedMs, longestGapMs);
    lookedMs = nowMs;
    return attendedMs;
  }
}
