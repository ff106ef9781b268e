package io.tidemark.connect.batch;

import io.tidemark.connect.text.PrintableText;

/**
 * A record that cannot land, and why.
 *
 * @param reason problem, cause and cure as sentences, in one printable line
 * @param bufferedBytes about the memory that it takes until it is sent on
 */
public record RejectedRecord(
    RecordPlace place, String reason, DeliveredRecord delivered, long bufferedBytes) {

  public RejectedRecord {
    reason = PrintableText.line(reason);
  }

  @Override
  public String toString() {
    return place + ": " + reason;
  }
}
