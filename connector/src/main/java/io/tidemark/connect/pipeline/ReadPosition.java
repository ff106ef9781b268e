package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.entry.LogState;
import java.util.OptionalLong;

/**
 * Where a topic-partition is read: the log decides, and while the log is empty the first record
 * that was delivered. Called by the task's thread only, except for {@link #committed}.
 */
final class ReadPosition {
  private long firstDelivered = Long.MAX_VALUE;
  private OptionalLong seek = OptionalLong.empty();
  private volatile long committedNext = LogState.UNKNOWN;

  /** A record arrived, whether it is taken in or not. */
  void delivered(long offset) {
    if (committedNext == LogState.UNKNOWN) {
      firstDelivered = Math.min(firstDelivered, offset);
    }
  }

  /** The log covers every offset below {@code next}. */
  void committed(long next) {
    committedNext = next;
  }

  /** The log is claimed: reading goes on where it ends. */
  void claimed(OpenedLog log) {
    LogState state = log.owned().state();
    long next = state.next();
    committedNext = next;
    if (next != LogState.UNKNOWN) {
      // Below Kafka's first offset the consumer's reset policy would decide: the gap is counted as
      // lost instead.
      seek(Math.max(next, log.retained().earliest()));
    } else if (state.generation().number() > 1) {
      // The consumer group's offset is of the topic's earlier life.
      seek(log.retained().earliest());
    } else if (firstDelivered != Long.MAX_VALUE) {
      seek(firstDelivered);
    }
  }

  /** The consumer is to go to an offset. */
  void seek(long offset) {
    seek = OptionalLong.of(offset);
  }

  /** Where the consumer is to go; asked once. */
  OptionalLong takeSeek() {
    OptionalLong wanted = seek;
    seek = OptionalLong.empty();
    return wanted;
  }

  /**
   * The offset for the consumer group: the next one by the log, or where the next owner of an empty
   * log is to begin. Empty while that is the group's own offset.
   */
  OptionalLong groupOffset() {
    long next = committedNext;
    if (next != LogState.UNKNOWN) {
      return OptionalLong.of(next);
    }
    return firstDelivered == Long.MAX_VALUE
        ? OptionalLong.empty()
        : OptionalLong.of(firstDelivered);
  }

  /** {@link #groupOffset} for people. */
  @Override
  public String toString() {
    OptionalLong offset = groupOffset();
    return offset.isPresent() ? "offset " + offset.getAsLong() : "the offset of the consumer group";
  }
}
