package io.tidemark.cli.status;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.BatchTally;
import io.tidemark.completeness.ledger.BatchVerdict;
import io.tidemark.store.PrintableText;
import java.time.Instant;
import java.util.Optional;

/**
 * A batch that its producer has announced.
 *
 * @param key the batch's id, as it was announced
 * @param id the printable id; two ids can have the same printable form
 * @param askedAt the time at which Kafka was asked for the end offsets of the verdict
 * @param held the reason why the batch is not complete; empty if it is
 */
public record BatchStatus(
    String key,
    String id,
    long announced,
    BatchTally counted,
    Optional<Instant> askedAt,
    Optional<Held> held) {

  static BatchStatus of(String id, AnnouncedBatch batch, Optional<Held> held) {
    return new BatchStatus(
        id,
        PrintableText.line(id),
        batch.announcedRecords(),
        batch.countedRecords(),
        batch.verdict().map(BatchVerdict::askedAt),
        held);
  }

  /** Returns the counts. Example: {@code 90 landed, 7 dead letters, 3 skipped of 100 announced} */
  public String figures() {
    return "%d landed, %d dead letters, %d skipped of %d announced"
        .formatted(counted.landed(), counted.deadLettered(), counted.skipped(), announced);
  }
}
