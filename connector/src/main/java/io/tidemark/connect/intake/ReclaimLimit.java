package io.tidemark.connect.intake;

import io.tidemark.store.MonotonicClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Limits how often a task claims a topic-partition again after another task has claimed it: ten
 * times in ten minutes, with growing pauses. So a late claim of a zombie is soon replaced, but two
 * running owners do not fence each other without end. Not thread-safe.
 */
public final class ReclaimLimit {
  private static final int MOST = 10;
  private static final long WITHIN_MS = 600_000;
  private static final long FIRST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 30_000;

  private final MonotonicClock clock;
  private final RandomGenerator jitter;
  private final Deque<Long> lost = new ArrayDeque<>();

  public ReclaimLimit(MonotonicClock clock, RandomGenerator jitter) {
    this.clock = clock;
    this.jitter = jitter;
  }

  /** Counts a lost claim. Returns the pause before the next; empty if the limit is reached. */
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
