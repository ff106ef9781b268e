package io.tidemark.connect.batch;

import io.tidemark.connect.text.PrintableText;
import java.util.Optional;

/**
 * A record that cannot land, and why.
 *
 * @param reason problem, cause and cure as sentences, in one printable line
 * @param bufferedBytes about the memory that it takes until it is sent on
 * @param counter where it is counted for its announced batch, if it has one
 */
public record RejectedRecord(
    RecordPlace place,
    String reason,
    DeliveredRecord delivered,
    long bufferedBytes,
    Optional<BatchIdCounter> counter) {

  public RejectedRecord {
    reason = PrintableText.line(reason);
  }

  @Override
  public String toString() {
    return place + ": " + reason;
  }
}
