package io.tidemark.completeness.reckon;

import java.time.Duration;

/**
 * Pauses of a reckoner after another reckoner has fenced it: one second at first, five minutes at
 * most. They grow until ten minutes pass without another fencing. Not thread-safe.
 */
final class FencedPauses {
  private static final long FIRST_PAUSE_MS = 1_000;
  private static final long LONGEST_PAUSE_MS = 300_000;
  private static final long OVER_MS = 600_000;

  private final ReckonerServices services;
  private int fenced;
  private long fencedAtMs;
  private long pausedUntilMs;

  FencedPauses(ReckonerServices services) {
    this.services = services;
  }

  /** Called when another reckoner has claimed the ledger. Returns the time to wait. */
  Duration fenced() {
    fencedAtMs = services.monotonic().millis();
    long ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(fenced, 20));
    fenced++;
    pausedUntilMs = fencedAtMs + ceiling / 2 + services.jitter().nextLong(ceiling / 2 + 1);
    return pause();
  }

  /** An operator has fenced it, by an acknowledgement, and will not do it again by itself. */
  void fencedByOperator() {
    fenced = Math.max(0, fenced - 1);
  }

  void appended() {
    if (services.monotonic().millis() - fencedAtMs > OVER_MS) {
      fenced = 0;
    }
  }

  Duration pause() {
    return Duration.ofMillis(Math.max(0, pausedUntilMs - services.monotonic().millis()));
  }
}
