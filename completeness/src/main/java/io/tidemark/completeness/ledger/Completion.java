package io.tidemark.completeness.ledger;

import java.time.Instant;

/**
 * The recorded statement that a Hive partition is complete.
 *
 * @param snapshot the number of the ledger's entry with the covered snapshot; if the table has
 *     several topics, with the earliest of their snapshots
 */
public record Completion(HivePartitionTotal total, long snapshot, Instant askedAt) {

  public Completion {
    if (total.until().isEmpty() || total.until().get().isAfter(askedAt) || snapshot < 1) {
      throw new IllegalArgumentException(
          "%s cannot be complete by snapshot %d of %s".formatted(total, snapshot, askedAt));
    }
  }
}
