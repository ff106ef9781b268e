package io.tidemark.connect.storage.log;

import java.util.Optional;

/** What became of an attempt to append an entry. Once an outcome is known it never changes. */
public sealed interface AppendOutcome<E> {

  /**
   * The entry stands in the log.
   *
   * @param fencedBy a later claim that another task has made since: the entry counts, but no more
   *     will
   */
  record Appended<E>(NumberedEntry<E> entry, Optional<NumberedEntry<E>> fencedBy)
      implements AppendOutcome<E> {}

  /** Another entry stands at the number: ours is not in the log and never will be. */
  record Collided<E>(NumberedEntry<E> winner) implements AppendOutcome<E> {}

  /**
   * The entry was taken back before it took effect: it is not in the log and never will be, and the
   * number is free.
   */
  record Withdrawn<E>(String reason) implements AppendOutcome<E> {}
}
