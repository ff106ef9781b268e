package io.tidemark.connect.commit;

import io.tidemark.connect.commit.entry.NumberedEntry;
import java.util.Optional;

/** What became of an attempt to append an entry. Once an outcome is known it never changes. */
public sealed interface AppendOutcome {

  /**
   * The entry stands in the log.
   *
   * @param fencedBy a later claim that another task has made since: the entry counts, but no more
   *     will
   */
  record Appended(NumberedEntry entry, Optional<NumberedEntry> fencedBy) implements AppendOutcome {}

  /** Another entry stands at the number: ours is not in the log and never will be. */
  record Collided(NumberedEntry winner) implements AppendOutcome {}

  /**
   * The entry was taken back before it took effect: it is not in the log and never will be, and the
   * number is free.
   */
  record Withdrawn(String reason) implements AppendOutcome {}
}
