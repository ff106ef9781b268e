package io.tidemark.cli.status;

import io.tidemark.connect.ledger.account.BatchTally;
import io.tidemark.connect.ledger.state.BatchVerdict;
import io.tidemark.connect.ledger.state.OpenBatch;
import io.tidemark.connect.text.PrintableText;
import java.time.Instant;
import java.util.Optional;

/**
 * A batch that its producer has announced.
 *
 * @param key its id, as it was announced
 * @param id as people may see it: of two ids it may be the same
 * @param announced how many records were announced
 * @param counted how many of them were taken, by class
 * @param askedAt when Kafka was asked for the end offsets of which the rest is true
 * @param held why it is not complete; empty where it is
 */
public record BatchStatus(
    String key,
    String id,
    long announced,
    BatchTally counted,
    Optional<Instant> askedAt,
    Optional<Held> held) {

  static BatchStatus of(String id, OpenBatch batch, Optional<Held> held) {
    return new BatchStatus(
        id,
        PrintableText.line(id),
        batch.announcedRecords(),
        batch.countedRecords(),
        batch.verdict().map(BatchVerdict::askedAt),
        held);
  }

  /** Example: {@code 90 landed, 7 dead letters, 3 skipped of 100 announced}. */
  public String figures() {
    return "%d landed, %d dead letters, %d skipped of %d announced"
        .formatted(counted.landed(), counted.deadLettered(), counted.skipped(), announced);
  }
}
