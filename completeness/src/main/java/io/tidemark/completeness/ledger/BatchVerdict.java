package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.Optional;

/** A verdict about an announced batch after a covered snapshot: {@code held} if not complete. */
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
