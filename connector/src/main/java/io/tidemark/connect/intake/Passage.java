package io.tidemark.connect.intake;

/**
 * A gap: consecutive offsets, beginning at the next expected offset, at which no record was
 * delivered, with the evidence for it.
 *
 * @param to the last offset of the gap plus one
 */
public record Passage(long to, Evidence evidence) {

  /** The reason why no record at these offsets will be delivered. */
  public enum Evidence {
    /** The record at {@code to} was delivered. */
    NEXT_RECORD,
    /** Connect has delivered all records below {@code to} that no transform has dropped. */
    POSITION,
    /** The connector's own consumer has read the offsets and found no record. */
    PROBE,
    /** Kafka has deleted at least the first offset of the gap, which may have been a record. */
    DELETED
  }
}
