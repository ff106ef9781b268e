package io.tidemark.connect.pipeline.intake;

/**
 * Offsets from the expected one up to another, of which no record was taken in, and what is known
 * of them.
 *
 * @param to one past the last of them
 */
public record Passage(long to, Evidence evidence) {

  /** Why the offsets may be passed over, unless the consumer has jumped over them. */
  public enum Evidence {
    /** The record at {@code to} was delivered. */
    RECORD_BEHIND,
    /** The framework has given us all records below {@code to} that no transform has dropped. */
    POSITION,
    /** A consumer of our own has found no record there. */
    LOOK,
    /** None: Kafka no longer has the first of them. */
    GONE
  }
}
