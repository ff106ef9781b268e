package io.tidemark.registry.wire;

import io.tidemark.registry.SchemaId;
import java.util.Objects;

/**
 * Which schema a record was written with, and where its datum begins.
 *
 * @param datumOffset in bytes from the beginning of the record's value; 0 when the id stood in a
 *     header
 */
public record Framing(SchemaId id, int datumOffset) {

  public Framing {
    Objects.requireNonNull(id, "id");
  }
}
