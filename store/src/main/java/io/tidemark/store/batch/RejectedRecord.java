package io.tidemark.store.batch;

import io.tidemark.store.PrintableText;
import java.util.Optional;

/**
 * A record that cannot land, with the reason.
 *
 * @param reason problem, cause and cure as sentences, in one printable line
 * @param bufferedBytes the approximate memory in bytes that it uses until it is sent
 * @param counter the counter of its announced batch, if it has one
 */
public record RejectedRecord(
    RecordPlace place,
    Kind kind,
    String reason,
    DeliveredRecord delivered,
    long bufferedBytes,
    Optional<BatchIdCounter> counter) {

  /** The reason why a record is rejected. */
  public enum Kind {
    /** It has no value. */
    NO_VALUE,
    /** Its value has no schema id. */
    NO_SCHEMA_ID,
    /** The registry has no Avro schema with its id. */
    UNKNOWN_SCHEMA,
    /** No routing rule matches it. */
    UNROUTED,
    /** Its datum is not valid for its schema. */
    DAMAGED,
    /** Its datum cannot be converted to the table schema. */
    UNRESOLVABLE,
    /** Its Hive partition cannot be determined. */
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
