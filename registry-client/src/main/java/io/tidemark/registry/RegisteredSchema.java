package io.tidemark.registry;

import java.util.Objects;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/** A schema with the id that its registry gave it; what it refers to is part of it. */
public record RegisteredSchema(SchemaId id, Schema schema) {

  public RegisteredSchema {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(schema, "schema");
  }

  /**
   * A parser that takes whatever names and defaults a registry took: registries hold schemas from
   * before Avro checked them ({@code my-field}, a default of another type), and their records are
   * sound. Where such a name must not go, as in a Hive column, is for the table to say.
   */
  public static Schema.Parser parser() {
    return new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
  }
}
