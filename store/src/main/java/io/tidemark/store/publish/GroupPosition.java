package io.tidemark.store.publish;

import io.tidemark.store.commit.LogState;
import java.util.List;

/**
 * The position of a consumer group's offset relative to the log, when a topic-partition is claimed.
 *
 * <p>The connector commits only the next offsets of entries to the group. The group's offset may be
 * that of an earlier entry, because Connect commits from time to time, and not when a worker dies.
 * Any other offset was set by another tool.
 */
public enum GroupPosition {
  /** The group's offset is the next offset of the log, or of an earlier entry. */
  EXPLAINED,
  /**
   * The group's offset is below the log's next offset, and is not the next offset of an examined
   * entry.
   */
  BEHIND,
  /**
   * The group's offset is above the log's next offset. The connector never commits such an offset.
   */
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
