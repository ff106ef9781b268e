package io.tidemark.completeness.ledger;

import java.time.Instant;

/**
 * The recorded statement that a Hive partition is complete.
 *
 * @param snapshot the entry with the covered snapshot: the earliest of those of the table's topics
 */
public record Completion(HivePartitionTotal total, long snapshot, Instant askedAt) {

  public Completion {
    if (total.until().isEmpty() || total.until().get().isAfter(askedAt) || snapshot < 1) {
      throw new IllegalArgumentException(
          "%s cannot be complete by snapshot %d of %s".formatted(total, snapshot, askedAt));
    }
  }
}
