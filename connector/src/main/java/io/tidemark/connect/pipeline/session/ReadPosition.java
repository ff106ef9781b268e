package io.tidemark.connect.pipeline.session;

import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.pipeline.opening.OpenedLog;
import java.util.OptionalLong;

/**
 * Where a topic-partition is read: the log decides, and while the log is empty the position that
 * the consumer was given. Called by the task's thread only, except for {@link #committed}.
 */
public final class ReadPosition {
  private final OpenTail tail = new OpenTail();
  private boolean fellBack;
  private OptionalLong given = OptionalLong.empty();
  private OptionalLong seek = OptionalLong.empty();
  private volatile long committedNext = LogState.UNKNOWN;
  private volatile OptionalLong begin = OptionalLong.empty();

  /**
   * The framework tells the consumer's position. Nothing was delivered before the first, nor was
   * one sought.
   */
  public void reached(long position) {
    tail.reached(position);
    if (given.isEmpty()) {
      given = OptionalLong.of(position);
    }
  }

  /** Whether the consumer's position is to be asked for. */
  boolean wanted() {
    return given.isEmpty();
  }

  /** The log covers every offset below {@code next}. */
  public void committed(long next) {
    committedNext = next;
  }

  /** Whether it is known where a log is to be read that was claimed. */
  boolean decided(LogState state) {
    return !byConsumer(state) || given.isPresent();
  }

  /** The first entry of the log is to say where it begins: where the consumer group stands. */
  private static boolean byConsumer(LogState state) {
    return state.next() == LogState.UNKNOWN && state.generation().number() == 1;
  }

  /**
   * The log is claimed.
   *
   * @return the first offset that no entry of the log covers, where that is {@link #decided}
   */
  long claimed(OpenedLog log) {
    LogState state = log.owned().state();
    committedNext = state.next();
    if (state.next() != LogState.UNKNOWN) {
      return state.next();
    }
    // The consumer group's offset is of the topic's earlier life where there was one.
    long earliest = log.retained().earliest();
    long first =
        !byConsumer(state)
            ? earliest
            : fellBack ? Math.min(given.orElseThrow(), earliest) : given.orElseThrow();
    begin = OptionalLong.of(first);
    return first;
  }

  /**
   * A record was delivered below the offset that was expected. Where nothing has landed, the
   * position that the consumer was given is not of this topic: then all that Kafka has is to land.
   */
  void fellBackTo(long offset) {
    given = OptionalLong.of(Math.min(offset, given.orElse(offset)));
    fellBack = true;
  }

  /** The consumer is to go to an offset. */
  void seek(long offset) {
    seek = OptionalLong.of(offset);
  }

  /** Where the consumer is to go; asked once. */
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

  /** The offsets up to one are passed over, as they had no record. */
  void passed(long to) {
    tail.passed(to);
  }

  /**
   * A batch is committed: the consumer goes behind what was passed over last, if it waits there.
   */
  void followTail(long expected) {
    tail.seekBehind(expected).ifPresent(this::seek);
  }

  /**
   * The offset for the consumer group: the next one by the log, or where a log without a batch
   * begins. Empty before the first claim.
   */
  public OptionalLong groupOffset() {
    long next = committedNext;
    return next == LogState.UNKNOWN ? begin : OptionalLong.of(next);
  }

  /** The log covers every offset below it; {@link LogState#UNKNOWN} before its first entry. */
  public long committed() {
    return committedNext;
  }

  /** {@link #groupOffset} for people. */
  @Override
  public String toString() {
    OptionalLong offset = groupOffset();
    return offset.isPresent() ? "offset " + offset.getAsLong() : "the offset of the consumer group";
  }
}
