package io.tidemark.completeness.show;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.avro.Schema;

/**
 * The schema of events, in {@code event.avsc}. Fields are never removed, and new fields have
 * defaults. The descriptions of fields ({@code doc}) are part of the registered schema.
 */
final class EventSchema {

  /** The schema of an event. */
  static final Schema EVENT = read("event.avsc");

  /** The schema of a batch's part in one Hive partition. */
  static final Schema HIVE_PARTITION = EVENT.getField("hive_partitions").schema().getElementType();

  private EventSchema() {}

  private static Schema read(String file) {
    try (InputStream in = EventSchema.class.getResourceAsStream(file)) {
      return new Schema.Parser().parse(Objects.requireNonNull(in, file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
