package io.tidemark.connect.health;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * The time for which Kafka has had records of one topic-partition that are not committed. The class
 * keeps each end offset with the time at which it was read, until the offset is committed. Offsets
 * that Kafka had before the first check count from the first check. Thread-safe.
 */
final class Lag {
  /** If more end offsets are kept, every second one is removed: a long lag is less exact. */
  private static final int MOST_SEEN = 256;

  private static final long FIRST_STEP_MS = 1;

  private final Deque<Seen> seen = new ArrayDeque<>();
  private long stepMs = FIRST_STEP_MS;
  private long committed;
  private long end = TopicPartitionProgress.UNKNOWN;

  private record Seen(long end, long atMs) {}

  synchronized void end(long offset, long nowMs) {
    end = offset;
    boolean further =
        seen.isEmpty()
            || (offset > seen.getLast().end() && nowMs - seen.getLast().atMs() >= stepMs);
    if (offset > committed && further) {
      seen.addLast(new Seen(offset, nowMs));
      if (seen.size() > MOST_SEEN) {
        thin();
        stepMs *= 2;
      }
    }
  }

  private void thin() {
    boolean keep = true;
    for (Iterator<Seen> each = seen.iterator(); each.hasNext(); ) {
      each.next();
      if (!keep) {
        each.remove();
      }
      keep = !keep;
    }
  }

  synchronized void committed(long next) {
    committed = Math.max(0, next); // -1 if the log has no batch.
    while (!seen.isEmpty() && seen.getFirst().end() <= next) {
      seen.removeFirst();
    }
    if (seen.isEmpty()) {
      stepMs = FIRST_STEP_MS;
    }
  }

  synchronized long end() {
    return end;
  }

  synchronized long offsets() {
    return Math.max(0, end - committed);
  }

  synchronized long lastsMs(long nowMs) {
    return seen.isEmpty() ? 0 : nowMs - seen.getFirst().atMs();
  }
}
