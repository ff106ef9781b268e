package io.tidemark.connect.ledger.state;

import java.time.Instant;
import java.util.Optional;

/**
 * What the ledger says of an announced batch, by a covered snapshot.
 *
 * @param snapshot the ledger's entry with the snapshot
 * @param askedAt when that snapshot was taken
 * @param held why the batch is not complete; empty where it is
 */
public record BatchVerdict(long snapshot, Instant askedAt, Optional<Hold> held) {

  public BatchVerdict {
    if (snapshot < 1) {
      throw new IllegalArgumentException("a verdict needs a snapshot, and there is no " + snapshot);
    }
  }

  public boolean complete() {
    return held.isEmpty();
  }
}
