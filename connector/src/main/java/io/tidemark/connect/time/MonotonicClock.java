package io.tidemark.connect.time;

import java.util.concurrent.TimeUnit;

/**
 * A clock that only goes forward, for every interval, pause and deadline. The wall clock is set
 * forward and back by operators, time servers and virtual machines; it is only for times that
 * people read. Safe for use by many threads.
 */
@FunctionalInterface
public interface MonotonicClock {

  /** The milliseconds since some moment; never less than they were before. */
  long millis();

  /** The clock of this JVM, which begins at 0 now. */
  static MonotonicClock system() {
    long begun = System.nanoTime();
    return () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
  }
}
