package io.tidemark.store;

/**
 * Measures a wait by repeated checks, which count the time between two of them up to a limit. After
 * a suspension of the process, there may be responses that it has not read yet. Not thread-safe.
 */
public final class AttendedTime {
  private final MonotonicClock clock;
  private final long longestGapMs;
  private long checkedMs;
  private long attendedMs;

  public AttendedTime(MonotonicClock clock, long longestGapMs) {
    this.clock = clock;
    this.longestGapMs = longestGapMs;
    this.checkedMs = clock.millis();
  }

  /** Checks the clock, and returns the counted milliseconds since the start. */
  public long millis() {
    long nowMs = clock.millis();
    attendedMs += Math.min(nowMs - checkedMs, longestGapMs);
    checkedMs = nowMs;
    return attendedMs;
  }
}
