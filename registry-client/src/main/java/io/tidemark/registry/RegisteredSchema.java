package io.tidemark.registry;

import java.util.Objects;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

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

  /** As {@link #parse(Schema.Parser, String)}, with a {@link #parser()} of its own. */
  public static Schema parse(String text) {
    return parse(parser(), text);
  }

  /**
   * Parses a schema.
   *
   * @throws SchemaParseException for any text that Avro's parser does not take
   */
  public static Schema parse(Schema.Parser parser, String text) {
    try {
      return parser.parse(text);
    } catch (SchemaParseException e) {
      throw e;
    } catch (StackOverflowError e) {
      throw new SchemaParseException("it is nested too deep");
    } catch (RuntimeException e) {
      // A name ".." is an index out of bounds to it, to name but one.
      throw new SchemaParseException(e);
    }
  }
}
