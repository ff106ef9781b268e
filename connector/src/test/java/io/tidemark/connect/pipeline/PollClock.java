package io.tidemark.connect.pipeline;

import io.tidemark.store.MonotonicClock;

/**
 * A clock that stops if a poll takes long. On a busy machine, a batch therefore does not end before
 * its records are delivered. Thread-safe.
 */
final class PollClock implements MonotonicClock {
  private static final long MOST_BETWEEN_POLLS_MS = 20;

  private final MonotonicClock system = MonotonicClock.system();
  private long polledAtMs;
  private long ms;

  @Override
  public synchronized long millis() {
    return ms + Math.min(system.millis() - polledAtMs, MOST_BETWEEN_POLLS_MS);
  }

  /** Continues after a poll. */
  synchronized void polled() {
    ms = millis();
    polledAtMs = system.millis();
  }

  /** The process was suspended: time has passed, in which it did nothing. */
  synchronized void forward(long suspendedMs) {
    ms += suspendedMs;
  }
}
