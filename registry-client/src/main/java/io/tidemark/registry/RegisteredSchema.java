package io.tidemark.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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
   * The first 16 hexadecimal digits of the SHA-256 of the schema's text, as Avro writes it and as a
   * copy on disk keeps it. It tells schemas apart that differ in a default or a logical type alone.
   */
  public String fingerprint() {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(schema.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
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
