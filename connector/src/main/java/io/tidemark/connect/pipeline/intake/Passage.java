package io.tidemark.connect.pipeline.intake;

/**
 * Consecutive offsets from the expected one on, of which no record was taken, with the evidence
 * about them.
 *
 * @param to the last of them plus one
 */
public record Passage(long to, Evidence evidence) {

  /** The evidence that the offsets have no record, unless the consumer has skipped them. */
  public enum Evidence {
    /** The record at {@code to} was delivered. */
    RECORD_BEHIND,
    /** Connect has delivered all records below {@code to} that no transform has dropped. */
    POSITION,
    /** The connector's own consumer has found no record there. */
    LOOK,
    /** None: Kafka has deleted at least the first of them. */
    GONE
  }
}
