package io.tidemark.connect.batch;

import java.util.Optional;

/**
 * How many records of one announced batch stand in a range of offsets, by class.
 *
 * @param id the batch's id, as the records' header has it
 * @param table where they landed, as {@code database.table}; empty for those that did not land
 * @param landed how many are in files
 * @param deadLettered how many were sent to the dead letter queue
 * @param skipped how many a configured policy left out
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
