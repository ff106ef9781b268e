package io.tidemark.store.log;

import java.util.Optional;

/** The outcome of an attempt to append an entry. A known outcome never changes. */
public sealed interface AppendOutcome<E> {

  /**
   * The entry is in the log.
   *
   * @param fencedBy a later claim of another task: this entry is valid, but the writer is fenced
   */
  record Appended<E>(NumberedEntry<E> entry, Optional<NumberedEntry<E>> fencedBy)
      implements AppendOutcome<E> {}

  /** Another entry has the number: this entry is not in the log and never will be. */
  record Collided<E>(NumberedEntry<E> winner) implements AppendOutcome<E> {}

  /**
   * The entry was withdrawn before it took effect: it is not in the log and never will be, and the
   * number is free.
   */
  record Withdrawn<E>(String reason) implements AppendOutcome<E> {}
}
