package io.tidemark.connect.pipeline.intake;

/**
 * A gap: consecutive offsets without a record, from the next expected offset on, with the evidence
 * that they have no record.
 *
 * @param to the last offset of the gap plus one
 */
public record Passage(long to, Evidence evidence) {

  /** The evidence that the offsets have no record. */
  public enum Evidence {
    /** The record at {@code to} was delivered. */
    RECORD_BEHIND,
    /** Connect has delivered all records below {@code to} that no transform has dropped. */
    POSITION,
    /** The connector's own consumer has read the offsets and found no record. */
    LOOK,
    /** None: Kafka has deleted at least the first offset of the gap. */
    GONE
  }
}
