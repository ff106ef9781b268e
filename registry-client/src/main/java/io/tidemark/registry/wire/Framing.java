package io.tidemark.registry.wire;

import io.tidemark.registry.SchemaId;
import java.util.Objects;

/**
 * The schema id of a record, and the position of its datum. In this package, the <i>framing</i> of
 * a datum is the bytes with the schema id that precede it in the value, such as Confluent's wire
 * format.
 *
 * @param datumOffset the position of the datum, in bytes from the start of the record's value; 0 if
 *     the id was in a header
 */
public record Framing(SchemaId id, int datumOffset) {

  public Framing {
    Objects.requireNonNull(id, "id");
  }
}
