package io.tidemark.registry.wire;

import io.tidemark.registry.SchemaId;
import java.util.Objects;

/**
 * The schema id of a record, and the position of its datum.
 *
 * @param datumOffset in bytes from the start of the record's value; 0 if the id was in a header
 */
public record Framing(SchemaId id, int datumOffset) {

  public Framing {
    Objects.requireNonNull(id, "id");
  }
}
