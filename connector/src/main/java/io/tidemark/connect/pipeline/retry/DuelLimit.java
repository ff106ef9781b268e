package io.tidemark.connect.pipeline.retry;

import io.tidemark.connect.time.MonotonicClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * How often a task may claim a topic-partition back from another before it gives up: ten times in
 * ten minutes, with growing pauses. A zombie's late claim is then answered soon, and two true
 * owners do not fight for ever. Used by one thread at a time.
 */
public final class DuelLimit {
  private static final int MOST = 10;
  private static final long WITHIN_MS = 600_000;
  private static final long FIRST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 30_000;

  private final MonotonicClock clock;
  private final RandomGenerator jitter;
  private final Deque<Long> lost = new ArrayDeque<>();

  public DuelLimit(MonotonicClock clock, RandomGenerator jitter) {
    this.clock = clock;
    this.jitter = jitter;
  }

  /**
   * Counts a duel lost; the pause before the next claim in milliseconds, or none when there were
   * too many.
   */
  public OptionalLong next() {
    long now = clock.millis();
    while (!lost.isEmpty() && lost.peekFirst() < now - WITHIN_MS) {
      lost.removeFirst();
    }
    lost.addLast(now);
    if (lost.size() > MOST) {
      return OptionalLong.empty();
    }
    long ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << (lost.size() - 1));
    return OptionalLong.of(ceiling / 2 + jitter.nextLong(ceiling / 2 + 1));
  }
}
