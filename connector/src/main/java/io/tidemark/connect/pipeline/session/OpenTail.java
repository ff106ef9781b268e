package io.tidemark.connect.pipeline.session;

import io.tidemark.connect.pipeline.session.SessionPhase.Consuming;
import java.util.OptionalLong;

/**
 * How far the framework has come behind the last record of a topic-partition that it has given us.
 * Records that a transform drops are followed by nothing that would account for them. Used by the
 * task's thread only.
 */
public final class OpenTail {
  private static final long NOWHERE = -1;

  private boolean seekTookEffect;
  private long reached = NOWHERE;
  private long passed = NOWHERE;

  /**
   * A topic-partition that waits for records, and has nothing on its way.
   *
   * @param under the claim
   * @param expected the first offset that was not taken in yet
   */
  public record Waiting(Consuming under, long expected) {}

  /** A seek is handed to the framework, which does it before its next poll. */
  void sought() {
    seekTookEffect = false;
    reached = NOWHERE;
    passed = NOWHERE;
  }

  /** A put() ends, which has begun after all that was {@link #sought} before. */
  void endOfPut() {
    seekTookEffect = true;
  }

  /**
   * The framework tells a position: it has given us all records below it, but for those that a
   * transform has dropped. A position that is told before a seek takes effect is of what was read
   * before.
   */
  void reached(long position) {
    if (seekTookEffect) {
      reached = position;
    }
  }

  /** The position that the framework has told since the last seek; -1 where it has told none. */
  long reached() {
    return reached;
  }

  /** The offsets up to one are passed over. */
  void passed(long to) {
    passed = to;
  }

  /**
   * Where the consumer is to go once what was passed over is committed, so that the group may
   * follow; asked once. Empty if records have come since, or if the consumer is there.
   */
  OptionalLong seekBehind(long expected) {
    boolean behind = passed == expected && reached < expected;
    passed = NOWHERE;
    return behind ? OptionalLong.of(expected) : OptionalLong.empty();
  }
}
