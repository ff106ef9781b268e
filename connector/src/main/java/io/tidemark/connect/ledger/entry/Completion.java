package io.tidemark.connect.ledger.entry;

import java.time.Instant;

/**
 * The recorded statement that a Hive partition is complete.
 *
 * @param total what lies there, all of it
 * @param snapshot the ledger's entry with the snapshot that was covered; of a table with several
 *     topics the earliest
 * @param askedAt when that snapshot was taken
 */
public record Completion(HivePartitionTotal total, long snapshot, Instant askedAt) {

  public Completion {
    if (total.until().isEmpty() || total.until().get().isAfter(askedAt) || snapshot < 1) {
      throw new IllegalArgumentException(
          "%s cannot be complete by snapshot %d of %s".formatted(total, snapshot, askedAt));
    }
  }
}
