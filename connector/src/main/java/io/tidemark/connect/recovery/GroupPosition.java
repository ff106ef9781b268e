package io.tidemark.connect.recovery;

import io.tidemark.connect.commit.entry.LogState;
import java.util.List;

/**
 * Compares a consumer group's offset with the log when a topic-partition is claimed: pure.
 *
 * <p>The connector commits only next offsets of entries to the group. The group may be some entries
 * late, because the framework commits from time to time, and not when a worker dies. Another tool
 * has set any other offset.
 */
public enum GroupPosition {
  /** The group's offset is the next offset of the log, or of an earlier entry. */
  EXPLAINED,
  /** The group's offset is below the log's next offset, and not that of an examined entry. */
  BEHIND,
  /** The group's offset is above the log's next offset. The connector never commits that. */
  AHEAD;

  /**
   * Compares a group's offset with a log.
   *
   * @param group the offset that the group has committed
   * @param next the log's next offset
   * @param earlier the states after earlier entries of the same generation
   */
  public static GroupPosition of(long group, long next, List<LogState> earlier) {
    if (group > next) {
      return AHEAD;
    }
    boolean known = group == next || earlier.stream().anyMatch(state -> state.next() == group);
    return known ? EXPLAINED : BEHIND;
  }
}
