package io.tidemark.connect.health;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * For how long Kafka has had records of one topic-partition that are not committed: the end offsets
 * are noted with the times at which they were seen, until they are committed. What Kafka had before
 * it was first looked at counts from then. Guarded by itself.
 */
final class Lag {
  /** Beyond so many, every other one goes, and fewer are noted: a long lag is told less exactly. */
  private static final int MOST_SEEN = 256;

  private static final long FIRST_STEP_MS = 1;

  private final Deque<Seen> seen = new ArrayDeque<>();
  private long stepMs = FIRST_STEP_MS;
  private long committed;
  private long end = TopicPartitionProgress.UNKNOWN;

  private record Seen(long end, long atMs) {}

  /** Kafka was seen to end at an offset. */
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

  /** All offsets before one are committed. */
  synchronized void committed(long next) {
    committed = Math.max(0, next); // A log without a batch covers nothing.
    while (!seen.isEmpty() && seen.getFirst().end() <= next) {
      seen.removeFirst();
    }
    if (seen.isEmpty()) {
      stepMs = FIRST_STEP_MS;
    }
  }

  /** The end offset that was seen last. */
  synchronized long end() {
    return end;
  }

  /** Offsets that Kafka has and that are not committed, as far as it was seen. */
  synchronized long offsets() {
    return Math.max(0, end - committed);
  }

  /** For how long there are such. */
  synchronized long lastsMs(long nowMs) {
    return seen.isEmpty() ? 0 : nowMs - seen.getFirst().atMs();
  }
}
