package io.tidemark.store;

import java.util.concurrent.TimeUnit;

/**
 * A clock that only goes forward, for all intervals, pauses and deadlines. The wall clock is only
 * for times that people read: operators, time servers and virtual machines set it. Thread-safe.
 */
@FunctionalInterface
public interface MonotonicClock {

  /** Returns the milliseconds since a fixed moment; the value never decreases. */
  long millis();

  /** Returns a clock of this JVM that starts at 0 now. */
  static MonotonicClock system() {
    long begun = System.nanoTime();
    return () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
  }
}
