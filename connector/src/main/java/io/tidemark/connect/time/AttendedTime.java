package io.tidemark.connect.time;

/**
 * Measures a wait by repeated looks. Of the time between two looks at most a limit counts: after a
 * suspension of the process there may be answers that it has not read yet. Not thread-safe.
 */
public final class AttendedTime {
  private final MonotonicClock clock;
  private final long longestGapMs;
  private long lookedMs;
  private long attendedMs;

  /** Starts a wait; {@code longestGapMs} is the most time that counts between two looks. */
  public AttendedTime(MonotonicClock clock, long longestGapMs) {
    this.clock = clock;
    this.longestGapMs = longestGapMs;
    this.lookedMs = clock.millis();
  }

  /** Looks, and returns the milliseconds that have counted since the start. */
  public long millis() {
    long nowMs = clock.millis();
    attendedMs += Math.min(nowMs - lookedMs, longestGapMs);
    lookedMs = nowMs;
    return attendedMs;
  }
}
