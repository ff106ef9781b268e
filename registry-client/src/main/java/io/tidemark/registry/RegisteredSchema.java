package io.tidemark.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.SchemaParseException;

/**
 * A schema with its id in the registry. The schema includes the types of referenced subjects.
 *
 * @param guid the schema's GUID, if the registry returned it besides the id
 * @param rules the rules that Confluent's serializers execute for the schema
 */
public record RegisteredSchema(
    SchemaId id, Schema schema, Optional<SchemaId.Guid> guid, List<SchemaRule> rules) {
  /** A member or an element of the JSON text becomes an object, mostly with a map of its own. */
  private static final int PART_BYTES = 80;

  private static final String PARTS = "{[,:";

  /** The maximum estimated heap of one schema: a quarter of the JVM's. */
  private static final long MOST_HEAP_BYTES = Runtime.getRuntime().maxMemory() / 4;

  public RegisteredSchema {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(guid, "guid");
    rules = List.copyOf(rules);
  }

  /** Creates a schema without a GUID and without rules. */
  public RegisteredSchema(SchemaId id, Schema schema) {
    this(id, schema, Optional.empty(), List.of());
  }

  /**
   * Returns the first 16 hexadecimal digits of the SHA-256 of {@code schema().toString()} in UTF-8.
   * Schemas that differ only in a default or a logical type have different fingerprints. This is
   * not the CRC-64-AVRO of {@link SchemaId.Fingerprint}.
   */
  public String fingerprint() {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(schema.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Returns the CRC-64-AVRO fingerprint, which ignores defaults, aliases and documentation. */
  public long canonicalFingerprint() {
    return SchemaNormalization.parsingFingerprint64(schema);
  }

  /**
   * Returns a parser that accepts all names and defaults. Some registered schemas have names or
   * defaults that Avro now rejects, such as {@code my-field} or a default of another type. Records
   * that were written with these schemas are valid.
   */
  public static Schema.Parser parser() {
    return new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false);
  }

  /** Parses a schema as {@link #parse(Schema.Parser, String)}, with a new {@link #parser()}. */
  public static Schema parse(String text) {
    return parse(parser(), text);
  }

  /**
   * Parses a schema. Logical types that do not fit their types are removed.
   *
   * @throws SchemaParseException for any text that Avro's parser rejects, for a schema whose text
   *     Avro cannot write, because types that refer to each other by name can be deeper than JSON,
   *     for one that would take more than a quarter of the JVM's heap, and for one whose named
   *     types contain each other so often that Avro's parser would need minutes
   */
  public static Schema parse(Schema.Parser parser, String text) {
    if (heapBytes(text) > MOST_HEAP_BYTES) {
      throw new SchemaParseException(
          "it would need more than " + MOST_HEAP_BYTES + " bytes, a quarter of this JVM's heap");
    }
    try {
      if (ParserVisits.areTooMany(text)) {
        throw new SchemaParseException(
            "its named types contain each other so often that a parser would visit more than %d types"
                .formatted(ParserVisits.MOST));
      }
      Schema schema = parser.parse(InvalidLogicalTypes.removedFrom(text));
      String unused = schema.toString();
      return schema;
    } catch (SchemaParseException e) {
      throw e;
    } catch (StackOverflowError e) {
      throw new SchemaParseException("it is nested too deep");
    } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
      // The parser throws many exceptions: for the name ".." an index out of bounds. An error must
      // not leave the schema without an answer either: each record would ask the registry again.
      throw new SchemaParseException(e);
    }
  }

  /** Returns the estimated heap of the schema and its rules in bytes. */
  public long heapBytes() {
    long bytes = heapBytes(schema);
    for (SchemaRule rule : rules) {
      bytes += PART_BYTES + 2L * (rule.name().length() + rule.type().length());
    }
    return bytes;
  }

  /** Returns the estimated heap of a schema in bytes. Names and values may need a little more. */
  public static long heapBytes(Schema schema) {
    return heapBytes(schema.toString())
        + nameBytes(schema, Collections.newSetFromMap(new IdentityHashMap<>()));
  }

  /** Types and aliases of one namespace have full names of their own, which its text lacks. */
  private static long nameBytes(Schema schema, Set<Schema> visited) {
    return switch (schema.getType()) {
      case ARRAY -> nameBytes(schema.getElementType(), visited);
      case MAP -> nameBytes(schema.getValueType(), visited);
      case UNION ->
          schema.getTypes().stream().mapToLong(branch -> nameBytes(branch, visited)).sum();
      case RECORD, ENUM, FIXED -> {
        if (!visited.add(schema)) {
          yield 0;
        }
        long bytes = 2L * schema.getFullName().length();
        for (String alias : schema.getAliases()) {
          bytes += 2L * alias.length();
        }
        if (schema.getType() == Schema.Type.RECORD) {
          for (Schema.Field field : schema.getFields()) {
            bytes += nameBytes(field.schema(), visited);
          }
        }
        yield bytes;
      }
      default -> 0;
    };
  }

  private static long heapBytes(String text) {
    long parts = text.chars().filter(each -> PARTS.indexOf(each) >= 0).count();
    return 2L * text.length() + PART_BYTES * parts;
  }
}
