package io.tidemark.store.batch;

import java.util.Optional;

/** The records of an announced batch by class; the landed ones are in {@code table}. */
public record BatchIdCount(
    String id, Optional<String> table, long landed, long deadLettered, long skipped) {

  public BatchIdCount {
    BatchId.requireId(id);
    if (landed < 0 || deadLettered < 0 || skipped < 0 || landed + deadLettered + skipped == 0) {
      throw new IllegalArgumentException(
          "batch %s: %d landed, %d dead letters, %d skipped"
              .formatted(id, landed, deadLettered, skipped));
    }
    if (table.isPresent() != landed > 0) {
      throw new IllegalArgumentException(
          "batch %s: %d landed in %s".formatted(id, landed, table.orElse("no table")));
    }
  }
}
