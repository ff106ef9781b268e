package io.tidemark.connect.ledger.entry;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where the ledger stands with a table.
 *
 * @param topics the topics of this log that have fed it, until an operator releases one
 * @param through everything of all its topics up to here is complete
 * @param held why it is not complete further
 */
public record TableState(List<String> topics, Optional<Instant> through, Optional<Hold> held) {

  public TableState {
    topics = List.copyOf(topics);
  }
}
