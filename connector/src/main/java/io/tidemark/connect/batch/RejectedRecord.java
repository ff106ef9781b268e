package io.tidemark.connect.batch;

/** A record that cannot land, and why: problem, cause and cure as sentences. */
public record RejectedRecord(RecordPlace place, String reason) {

  @Override
  public String toString() {
    return place + ": " + reason;
  }
}
