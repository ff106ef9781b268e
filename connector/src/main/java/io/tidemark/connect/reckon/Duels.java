package io.tidemark.connect.reckon;

import io.tidemark.connect.time.MonotonicClock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses of a reckoner that another one has fenced: from a second to five minutes, longer each time
 * until ten minutes pass without a duel. They never end the reckoner. Used by one thread.
 */
final class Duels {
  private static final long FIRST_PAUSE_MS = 1_000;
  private static final long LONGEST_PAUSE_MS = 300_000;
  private static final long OVER_MS = 600_000;

  private final MonotonicClock clock;
  private final RandomGenerator jitter;
  private int lost;
  private long lostAtMs;
  private long pausedUntilMs;

  Duels(MonotonicClock clock, RandomGenerator jitter) {
    this.clock = clock;
    this.jitter = jitter;
  }

  /** Another reckoner has the ledger; how long to wait. */
  Duration lost() {
    lostAtMs = clock.millis();
    long ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(lost, 20));
    lost++;
    pausedUntilMs = lostAtMs + ceiling / 2 + jitter.nextLong(ceiling / 2 + 1);
    return pause();
  }

  /** An entry stands. */
  void won() {
    if (clock.millis() - lostAtMs > OVER_MS) {
      lost = 0;
    }
  }

  /** How long to wait still. */
  Duration pause() {
    return Duration.ofMillis(Math.max(0, pausedUntilMs - clock.millis()));
  }
}
