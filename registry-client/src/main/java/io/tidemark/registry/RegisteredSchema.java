package io.tidemark.registry;

import java.util.Objects;
import org.apache.avro.Schema;

/** A schema with the id that its registry gave it; what it refers to is part of it. */
public record RegisteredSchema(SchemaId id, Schema schema) {

  public RegisteredSchema {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(schema, "schema");
  }
}
