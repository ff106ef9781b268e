package io.tidemark.connect.recovery;

import io.tidemark.connect.commit.entry.LogState;
import java.util.List;

/**
 * Where a consumer group stands against the log, when a topic-partition is claimed: pure.
 *
 * <p>The connector tells the group only offsets that the log stood at after an entry, and the group
 * may be some entries behind: the framework commits them from time to time, and a worker that dies
 * commits them no more. Any other offset was set by another tool.
 */
public enum GroupPosition {
  /** The group stands where the log does, or where an earlier entry left it. */
  EXPLAINED,
  /** The group stands before the log's next offset, at an offset that no entry looked at left. */
  BEHIND,
  /** The group stands past the log's next offset, where this connector never puts it. */
  AHEAD;

  /**
   * Compares a group's offset with a log.
   *
   * @param group the offset that the group has committed
   * @param next the log's next offset
   * @param earlier the states that earlier entries of the same generation left
   */
  public static GroupPosition of(long group, long next, List<LogState> earlier) {
    if (group > next) {
      return AHEAD;
    }
    boolean known = group == next || earlier.stream().anyMatch(state -> state.next() == group);
    return known ? EXPLAINED : BEHIND;
  }
}
