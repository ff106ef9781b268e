package io.tidemark.connect.ledger.state;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where the ledger stands with a table.
 *
 * @param topics the topics of this log that have fed it, until an operator releases one
 * @param through everything of all its topics up to here is complete
 * @param held why it is not complete further
 * @param emptiesThrough Hive partitions without records are made up to here; empty where they are
 *     not made
 */
public record TableState(
    List<String> topics,
    Optional<Instant> through,
    Optional<Hold> held,
    Optional<Instant> emptiesThrough) {

  public TableState {
    topics = List.copyOf(topics);
  }

  /** A table of which Hive partitions without records are not made. */
  public TableState(List<String> topics, Optional<Instant> through, Optional<Hold> held) {
    this(topics, through, held, Optional.empty());
  }

  /** This table with Hive partitions without records up to a time. */
  public TableState withEmptiesThrough(Optional<Instant> made) {
    return new TableState(topics, through, held, made);
  }
}
