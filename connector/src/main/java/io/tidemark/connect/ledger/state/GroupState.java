package io.tidemark.connect.ledger.state;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where the ledger stands with a group of tables.
 *
 * @param members as they are configured. Example: {@code default.payments@payments}
 * @param through everything of all its members up to here is complete
 * @param held why it is not complete further
 */
public record GroupState(List<String> members, Optional<Instant> through, Optional<Hold> held) {

  public GroupState {
    members = List.copyOf(members);
  }
}
