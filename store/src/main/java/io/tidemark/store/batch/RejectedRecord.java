package io.tidemark.store.batch;

import io.tidemark.store.PrintableText;
import java.util.Optional;

/**
 * A record that cannot land; problem, cause and cure as sentences in one printable line; and the
 * approximate memory that it uses until it is sent.
 */
public record RejectedRecord(
    RecordPlace place,
    Kind kind,
    String reason,
    DeliveredRecord delivered,
    long bufferedBytes,
    Optional<BatchIdCounter> counter) {

  public enum Kind {
    NO_VALUE,
    NO_SCHEMA_ID,
    /** The registry has no Avro schema with its id. */
    UNKNOWN_SCHEMA,
    UNROUTED,
    /** Its table cannot accept its schema. */
    SCHEMA_CONFLICT,
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
