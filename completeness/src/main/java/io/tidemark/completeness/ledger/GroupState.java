package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The ledger's state of a group of tables.
 *
 * @param members tables, also of other logs. Example: {@code default.payments@payments}
 */
public record GroupState(
    List<String> members, Optional<Instant> through, Optional<HeldBecause> held) {

  public GroupState {
    members = List.copyOf(members);
  }
}
