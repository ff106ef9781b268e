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
    Kind kind,
    String reason,
    DeliveredRecord delivered,
    long bufferedBytes,
    Optional<BatchIdCounter> counter) {

  /** What is wrong with a record. */
  public enum Kind {
    /** It has no value. */
    NO_VALUE,
    /** Its value has no schema id. */
    NO_SCHEMA_ID,
    /** The registry has no Avro schema of its id. */
    UNKNOWN_SCHEMA,
    /** No rule leads it to a table. */
    UNROUTED,
    /** Its datum is not what its schema says. */
    DAMAGED,
    /** The table's schema cannot hold its datum. */
    UNRESOLVABLE,
    /** No Hive partition can be made of it. */
    HIVE_PARTITION
  }

  public RejectedRecord {
    reason = PrintableText.line(reason);
  }

  @Override
  public String toString() {
    return place + ": " + reason;
  }
}
