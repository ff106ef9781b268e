package io.tidemark.connect.pipeline;

import io.tidemark.connect.pipeline.SessionPhase.Consuming;
import java.util.OptionalLong;

/**
 * Connect's position after the last record that it has delivered from a topic-partition. Records
 * that a transform drops are not delivered, so only the position shows that they were read. Called
 * by the task's thread only.
 */
public final class OpenTail {
  private static final long NOWHERE = -1;

  private boolean seekTookEffect;
  private long reached = NOWHERE;
  private long passed = NOWHERE;

  /**
   * A topic-partition that waits for records and has nothing to commit.
   *
   * @param under the claim
   * @param expected the first offset that was not accepted yet
   */
  public record Waiting(Consuming under, long expected) {}

  /** Called when a seek was passed to Connect, which seeks before its next poll. */
  void sought() {
    seekTookEffect = false;
    reached = NOWHERE;
    passed = NOWHERE;
  }

  /** Called at the end of a put(). All seeks before this put() have taken effect. */
  void endOfPut() {
    seekTookEffect = true;
  }

  /**
   * Sets a position of Connect: Connect has delivered all records below it, except for those that a
   * transform has dropped. Ignores positions until the last seek has taken effect.
   */
  void reached(long position) {
    if (seekTookEffect) {
      reached = position;
    }
  }

  /** Returns Connect's position since the last seek; -1 if Connect has reported no position. */
  long reached() {
    return reached;
  }

  /** Notes that the batch ends at {@code to}, and that its last offsets have no record. */
  void passed(long to) {
    passed = to;
  }

  /**
   * Returns the offset to seek to after offsets without records were committed, and resets it. The
   * group's offset can then follow. Empty if records were delivered afterwards, or if the
   * consumer's position is this offset already.
   */
  OptionalLong seekBehind(long expected) {
    boolean behind = passed == expected && reached < expected;
    passed = NOWHERE;
    return behind ? OptionalLong.of(expected) : OptionalLong.empty();
  }
}
