package io.tidemark.store.log;

import java.util.Optional;

/** The outcome of an attempt to append an entry. A known outcome never changes. */
public sealed interface AppendOutcome<E> {

  /** The entry is in the log; a later claim of another task may have fenced its writer. */
  record Appended<E>(NumberedEntry<E> entry, Optional<NumberedEntry<E>> fencedBy)
      implements AppendOutcome<E> {}

  /** Another entry has the number: this entry is not in the log and never will be. */
  record Collided<E>(NumberedEntry<E> winner) implements AppendOutcome<E> {}

  /** The entry is not in the log and never will be, and the number is free. */
  record Withdrawn<E>(String reason) implements AppendOutcome<E> {}
}
