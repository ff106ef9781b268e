package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.Optional;

/**
 * The ledger's verdict about an announced batch, after a snapshot was covered.
 *
 * @param snapshot the number of the ledger's entry with the snapshot
 * @param held why the batch is not complete; empty if it is complete
 */
public record BatchVerdict(long snapshot, Instant askedAt, Optional<HeldBecause> held) {

  public BatchVerdict {
    if (snapshot < 1) {
      throw new IllegalArgumentException(
          "a verdict needs a snapshot's entry, and its number cannot be " + snapshot);
    }
  }

  public boolean complete() {
    return held.isEmpty();
  }
}
