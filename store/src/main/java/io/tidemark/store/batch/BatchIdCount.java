package io.tidemark.store.batch;

import java.util.Optional;

/**
 * The number of records of one announced batch in a range of offsets, by class.
 *
 * @param id the batch's id from the records' header
 * @param table the table of the records, as {@code database.table}; empty if they did not land
 * @param landed the number of records in files
 * @param deadLettered the number of dead letters
 * @param skipped the number of records that a configured policy skipped
 */
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
