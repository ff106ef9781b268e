package io.tidemark.store.schema;

import io.tidemark.avro.plan.WideDecimals;
import org.apache.avro.Schema;

/** What a table in Hive has for decimals with more digits than Hive's. */
public enum UnboundedDecimals {
  /** A decimal of 38 digits. A number with more digits cannot land. */
  DECIMAL("decimal(38,s)"),
  /** The number as text. */
  STRING("string"),
  /** The schema is refused. */
  REFUSE("refuse");

  private final String value;

  UnboundedDecimals(String value) {
    this.value = value;
  }

  /** Example: {@code decimal(38,s)} */
  public static UnboundedDecimals of(String value) {
    for (UnboundedDecimals each : values()) {
      if (each.value.equals(value)) {
        return each;
      }
    }
    throw new IllegalArgumentException(value);
  }

  /** Returns the writer schema with the types that the table gets. */
  public Schema inTable(Schema writer) {
    return switch (this) {
      case DECIMAL -> WideDecimals.narrowed(writer, HiveSchema.DECIMAL_MAX_PRECISION);
      case STRING -> WideDecimals.asText(writer, HiveSchema.DECIMAL_MAX_PRECISION);
      case REFUSE -> writer;
    };
  }
}
