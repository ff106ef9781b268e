package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.OpenedLog;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogState;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The position from which a topic-partition is read. It is determined by the log, or by the
 * consumer while the log is empty. Called by the task's thread only, except for {@link #committed}.
 */
final class ReadPosition {
  private static final long NOWHERE = -1;

  private boolean seekTookEffect;
  private long reached = NOWHERE;
  private long gapEnd = NOWHERE;
  private boolean fellBack;
  private OptionalLong given = OptionalLong.empty();
  private OptionalLong seek = OptionalLong.empty();
  private @Nullable Generation beginOf;
  private volatile long committedNext = LogState.UNKNOWN;
  private volatile OptionalLong begin = OptionalLong.empty();

  /**
   * Sets the consumer's position: Connect has delivered all records below it, except for those that
   * a transform has dropped. Before the first call, no record was delivered and no seek happened.
   * Until the last seek has taken effect, {@link #reached()} ignores positions.
   */
  void reached(long position) {
    if (seekTookEffect) {
      reached = position;
    }
    if (given.isEmpty()) {
      given = OptionalLong.of(position);
    }
  }

  boolean wanted() {
    return given.isEmpty();
  }

  /** Notes that the log covers every offset below {@code next}. */
  void committed(long next) {
    committedNext = next;
  }

  boolean decided(LogState state) {
    return !byConsumer(state) || given.isPresent();
  }

  /** Returns whether the log begins at the group's offset, which its first batch records. */
  private static boolean byConsumer(LogState state) {
    return state.next() == LogState.UNKNOWN && state.generation().number() == 1;
  }

  /** Returns, after a claim, the first offset that no entry covers, if it is {@link #decided}. */
  long claimed(OpenedLog log) {
    LogState state = log.owned().state();
    committedNext = state.next();
    if (state.next() != LogState.UNKNOWN) {
      return state.next();
    }
    // If the topic was recreated, the consumer group's offset belongs to the former topic.
    boolean byConsumer = byConsumer(state);
    long earliest = log.retained().earliest();
    // Offsets that Kafka has deleted since an earlier claim of the generation are lost.
    boolean again = state.generation().equals(beginOf);
    long first = byConsumer ? given.orElseThrow() : again ? begin.orElseThrow() : earliest;
    if (!byConsumer || fellBack) {
      first = Math.min(first, earliest);
    }
    beginOf = state.generation();
    begin = OptionalLong.of(first);
    return first;
  }

  /**
   * Called when a record was delivered below the next offset. If nothing has landed, the consumer's
   * first position was an offset of another topic, and all records that Kafka has will land.
   */
  void fellBackTo(long offset) {
    given = OptionalLong.of(Math.min(offset, given.orElse(offset)));
    fellBack = true;
  }

  void seek(long offset) {
    seek = OptionalLong.of(offset);
  }

  /** Returns the offset to seek to before the next poll, and resets it. */
  OptionalLong takeSeek() {
    OptionalLong wanted = seek;
    if (wanted.isPresent()) {
      seek = OptionalLong.empty();
      seekTookEffect = false;
      reached = NOWHERE;
      gapEnd = NOWHERE;
    }
    return wanted;
  }

  /** All seeks before this put() have taken effect. */
  void endOfPut() {
    seekTookEffect = true;
  }

  /** Returns Connect's position since the last seek; -1 if Connect has reported no position. */
  long reached() {
    return reached;
  }

  /** Notes that the batch ends at {@code to}, and that its last offsets have no record. */
  void passed(long to) {
    gapEnd = to;
  }

  /**
   * Seeks past the last offsets of a committed batch if they have no record, and no record was
   * delivered afterwards. The group's offset can then follow.
   */
  void followGap(long next) {
    if (gapEnd == next && reached < next) {
      seek(next);
    }
    gapEnd = NOWHERE;
  }

  /**
   * Returns the offset for the consumer group: the log's next offset, or the start of a log without
   * a batch. Empty before the first claim.
   */
  OptionalLong groupOffset() {
    long next = committedNext;
    return next == LogState.UNKNOWN ? begin : OptionalLong.of(next);
  }

  /** Returns the log's next offset; {@link LogState#UNKNOWN} before the log's first entry. */
  long committed() {
    return committedNext;
  }

  /** Returns {@link #groupOffset} for log lines. */
  @Override
  public String toString() {
    OptionalLong offset = groupOffset();
    return offset.isPresent() ? "offset " + offset.getAsLong() : "the offset of the consumer group";
  }
}
