package io.tidemark.connect.pipeline;

import io.tidemark.connect.intake.OpenedLog;
import io.tidemark.store.commit.LogState;
import java.util.OptionalLong;

/**
 * The position from which a topic-partition is read. It is determined by the log, or by the
 * consumer while the log is empty. Called by the task's thread only, except for {@link #committed}.
 */
public final class ReadPosition {
  private final OpenTail tail = new OpenTail();
  private boolean fellBack;
  private OptionalLong given = OptionalLong.empty();
  private OptionalLong seek = OptionalLong.empty();
  private volatile long committedNext = LogState.UNKNOWN;
  private volatile OptionalLong begin = OptionalLong.empty();

  /**
   * Sets the consumer's position. Before the first call, no record was delivered and no seek
   * happened.
   */
  public void reached(long position) {
    tail.reached(position);
    if (given.isEmpty()) {
      given = OptionalLong.of(position);
    }
  }

  /** Returns whether the consumer's position is needed. */
  boolean wanted() {
    return given.isEmpty();
  }

  /** Notes that the log covers every offset below {@code next}. */
  public void committed(long next) {
    committedNext = next;
  }

  /** Returns whether the first offset to read after a claim is known. */
  boolean decided(LogState state) {
    return !byConsumer(state) || given.isPresent();
  }

  /**
   * Returns whether the log begins at the consumer group's offset. The log's first batch then
   * records this offset.
   */
  private static boolean byConsumer(LogState state) {
    return state.next() == LogState.UNKNOWN && state.generation().number() == 1;
  }

  /**
   * Called when the log is claimed.
   *
   * @return the first offset that no entry of the log covers, if this offset is {@link #decided}
   */
  long claimed(OpenedLog log) {
    LogState state = log.owned().state();
    committedNext = state.next();
    if (state.next() != LogState.UNKNOWN) {
      return state.next();
    }
    // If the topic was recreated, the consumer group's offset belongs to the former topic.
    long earliest = log.retained().earliest();
    long first =
        !byConsumer(state)
            ? earliest
            : fellBack ? Math.min(given.orElseThrow(), earliest) : given.orElseThrow();
    begin = OptionalLong.of(first);
    return first;
  }

  /**
   * Called when a record was delivered below the expected offset. If nothing has landed, the
   * consumer's first position was an offset of another topic. All records that Kafka has will then
   * land.
   */
  void fellBackTo(long offset) {
    given = OptionalLong.of(Math.min(offset, given.orElse(offset)));
    fellBack = true;
  }

  /** Requests a seek of the consumer. */
  void seek(long offset) {
    seek = OptionalLong.of(offset);
  }

  /** Returns the offset to seek to, and resets it; empty if no seek is requested. */
  public OptionalLong takeSeek() {
    OptionalLong wanted = seek;
    seek = OptionalLong.empty();
    wanted.ifPresent(offset -> tail.sought());
    return wanted;
  }

  /** See {@link OpenTail#endOfPut()}. */
  void endOfPut() {
    tail.endOfPut();
  }

  /** See {@link OpenTail#reached()}. */
  public long reached() {
    return tail.reached();
  }

  /** Notes that the last offsets below {@code to} have no record. */
  void passed(long to) {
    tail.passed(to);
  }

  /**
   * Seeks past trailing offsets of a committed batch that have no record, if the consumer has not
   * passed them.
   */
  void followTail(long expected) {
    tail.seekBehind(expected).ifPresent(this::seek);
  }

  /**
   * Returns the offset for the consumer group: the log's next offset, or the start of a log without
   * a batch. Empty before the first claim.
   */
  public OptionalLong groupOffset() {
    long next = committedNext;
    return next == LogState.UNKNOWN ? begin : OptionalLong.of(next);
  }

  /**
   * Returns the log's next offset: the log covers all smaller offsets. {@link LogState#UNKNOWN}
   * before the log's first entry.
   */
  public long committed() {
    return committedNext;
  }

  /** Returns {@link #groupOffset} for log lines. */
  @Override
  public String toString() {
    OptionalLong offset = groupOffset();
    return offset.isPresent() ? "offset " + offset.getAsLong() : "the offset of the consumer group";
  }
}
