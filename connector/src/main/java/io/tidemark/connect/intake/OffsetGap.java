package io.tidemark.connect.intake;

/** The offsets from the next one up to {@code to}, exclusive, at which no record was delivered. */
public record OffsetGap(long to, Evidence evidence) {

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
