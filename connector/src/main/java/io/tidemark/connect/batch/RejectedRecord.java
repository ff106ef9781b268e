package io.tidemark.connect.batch;

/**
 * A record that cannot land, and why.
 *
 * @param reason problem, cause and cure as sentences
 * @param bufferedBytes about the memory that it takes until it is sent on
 */
public record RejectedRecord(
    RecordPlace place, String reason, DeliveredRecord delivered, long bufferedBytes) {

  @Override
  public String toString() {
    return place + ": " + reason;
  }
}
