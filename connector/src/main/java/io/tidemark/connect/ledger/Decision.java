package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.account.HivePartitionId;
import io.tidemark.connect.ledger.entry.Completion;
import io.tidemark.connect.ledger.entry.Covering;
import io.tidemark.connect.ledger.entry.HivePartitionTotal;
import io.tidemark.connect.ledger.entry.LedgerEntry;
import io.tidemark.connect.ledger.state.LedgerState;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;

/**
 * What the ledger makes of what it was given.
 *
 * @param gaps what is to be read from logs, so that more can be taken
 * @param toLook what is to be looked for in the catalog; the decision stands once this is empty
 * @param changed whether it took, covered, completed or blocked anything
 */
public record Decision(
    LedgerState state,
    SortedMap<String, Covering> covered,
    List<HivePartitionTotal> sums,
    List<Completion> completions,
    List<Gap> gaps,
    Set<HivePartitionId> toLook,
    boolean changed) {

  /** The decision as the ledger's next entry. */
  public LedgerEntry.Reckoning entry(UUID attempt, Instant now) {
    if (!toLook.isEmpty()) {
      throw new IllegalStateException("nothing is decided before the catalog shows " + toLook);
    }
    return new LedgerEntry.Reckoning(attempt, state, now, covered, sums, completions);
  }
}
