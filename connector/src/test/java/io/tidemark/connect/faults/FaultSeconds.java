package io.tidemark.connect.faults;

import java.util.concurrent.TimeUnit;

/**
 * The time that tests of faults may take. The system property {@code io.tidemark.faults.seconds} is
 * the limit for all crash points together, and also for all schedules. 0 means no limit.
 */
record FaultSeconds(long begunNanos, long limitNanos) {
  private static final long SECONDS = Long.getLong("io.tidemark.faults.seconds", 15);

  /** Begins one of {@code parts} equal parts of the time. */
  static FaultSeconds begin(int parts) {
    return new FaultSeconds(System.nanoTime(), TimeUnit.SECONDS.toNanos(SECONDS) / parts);
  }

  boolean remains() {
    return limitNanos == 0 || System.nanoTime() - begunNanos < limitNanos;
  }
}
