package io.tidemark.store.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.avro.plan.FieldDefaults;
import io.tidemark.store.PrintableText;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * Checks the size and the names of a writer's schema. Any producer can register any schema. A small
 * schema can nest deeper than a thread's stack allows. If its named types use each other several
 * times, a small schema can have more fields than the heap can contain. All other code that visits
 * schemas relies on these limits.
 *
 * @param maxBytes of the schema's text
 * @param maxTypes of the schema, fully expanded
 * @param maxFields of the schema, fully expanded
 * @param maxBranches of a union: Avro compares each with all of another schema
 * @param maxSymbols of an enum: Avro compares each with all of another schema
 * @param planMs the maximum time in which a schema is merged and planned
 */
public record SchemaLimits(
    int maxBytes, int maxTypes, int maxFields, int maxBranches, int maxSymbols, long planMs) {
  public static final SchemaLimits DEFAULT =
      new SchemaLimits(1 << 20, 100_000, 50_000, 300, 10_000, 30_000);

  private static final int MOST_DEEP = 200;
  // The Metastore's limit for the name of a column, in characters.
  private static final int LONGEST_NAME = 767;

  /** A schema beyond a limit, or with a name or a default that Avro rejects, is rejected. */
  public void check(Schema writer) throws SchemaConflictException {
    if (writer.getType() != Schema.Type.RECORD) {
      throw new SchemaConflictException(
          "a table's rows are records, but this schema is of type %s. Send records, or leave the topic out."
              .formatted(writer.getType().getName()));
    }
    Walk walk = new Walk();
    walk.walk(writer, PrintableText.of(writer.getName()), 1);
    String text = writer.toString();
    few(text.getBytes(UTF_8).length, maxBytes, "bytes of text", writer.getName());
    requireAvros(writer, text, walk.incomplete);
  }

  /**
   * Requires that Avro's library, and so most readers of files, can parse the schema. A registry
   * may have accepted schemas that the library rejects.
   */
  private static void requireAvros(Schema writer, String text, boolean incomplete)
      throws SchemaConflictException {
    try {
      Schema read = new Schema.Parser().setValidateDefaults(!incomplete).parse(text);
      if (!read.getFullName().equals(writer.getFullName())) {
        throw new SchemaConflictException(
            "Avro reads the name %s as %s. Choose another name."
                .formatted(
                    PrintableText.of(writer.getFullName()), PrintableText.of(read.getFullName())));
      }
    } catch (RuntimeException e) {
      throw new SchemaConflictException(
          "a table cannot have the schema %s, because Avro rejects a name or a default in it: %s. Correct the schema and its producers, or leave the topic out."
              .formatted(
                  PrintableText.of(writer.getFullName()),
                  PrintableText.of(String.valueOf(e.getMessage()))));
    }
  }

  private static void few(int number, int most, String what, String path)
      throws SchemaConflictException {
    if (number > most) {
      throw new SchemaConflictException(
          "it has %d %s at %s, and the maximum is %d. Divide the type, leave the topic out, or set another maximum (schema.max.…)."
              .formatted(number, what, PrintableText.of(path), most));
    }
  }

  private static void name(String name, String path) throws SchemaConflictException {
    if (name.length() > LONGEST_NAME) {
      throw new SchemaConflictException(
          "the name %s in %s has %d characters, and the maximum is %d. Choose a shorter name."
              .formatted(
                  PrintableText.of(name), PrintableText.of(path), name.length(), LONGEST_NAME));
    }
  }

  /** One visit of all types of a schema. */
  private final class Walk {
    private final Set<String> enclosing = new HashSet<>();
    private final FieldDefaults defaults = new FieldDefaults();
    private int types;
    private int fields;
    private boolean incomplete;

    private void walk(Schema schema, String path, int depth) throws SchemaConflictException {
      if (depth > MOST_DEEP) {
        throw new SchemaConflictException(
            "it is nested deeper than %d types, at %s. Flatten it, or leave the topic out."
                .formatted(MOST_DEEP, PrintableText.of(path)));
      }
      if (++types > maxTypes || fields > maxFields) {
        throw new SchemaConflictException(
            "fully expanded it has more than %d types or %d fields: it is large, or named types have many aliases or use each other several times. Make it smaller, leave the topic out, or set another maximum (schema.max.…)."
                .formatted(maxTypes, maxFields));
      }
      switch (schema.getType()) {
        case RECORD -> fields(schema, path, depth);
        case ENUM -> {
          named(schema, path);
          few(schema.getEnumSymbols().size(), maxSymbols, "symbols of an enum", path);
        }
        case FIXED -> named(schema, path);
        case ARRAY -> walk(schema.getElementType(), path, depth + 1);
        case MAP -> walk(schema.getValueType(), path, depth + 1);
        case UNION -> {
          few(schema.getTypes().size(), maxBranches, "branches of a union", path);
          for (Schema branch : schema.getTypes()) {
            walk(branch, path, depth + 1);
          }
        }
        default -> {}
      }
    }

    /** Each alias is compared at each place of its type. */
    private void named(Schema type, String path) throws SchemaConflictException {
      types += type.getAliases().size();
      name(type.getFullName(), path);
    }

    private void fields(Schema record, String path, int depth) throws SchemaConflictException {
      named(record, path);
      if (!enclosing.add(record.getFullName())) {
        return;
      }
      for (Schema.Field field : record.getFields()) {
        fields++;
        name(field.name(), path);
        walk(field.schema(), depth == 1 ? field.name() : path, depth + 1);
        defaultOf(field, depth == 1 ? field.name() : path);
      }
      enclosing.remove(record.getFullName());
    }

    /**
     * In a table schema, an invalid default would stop every writer whose schema lacks the field. A
     * table schema never gets a default that lacks a field.
     */
    private void defaultOf(Schema.Field field, String path) throws SchemaConflictException {
      if (defaults.isIncomplete(field)) {
        incomplete = true;
        return;
      }
      Optional<String> fault = defaults.fault(field);
      if (fault.isPresent()) {
        throw new SchemaConflictException(
            "the default of %s in %s is invalid: %s. Correct the schema, or leave the topic out."
                .formatted(
                    PrintableText.of(field.name()),
                    PrintableText.of(path),
                    PrintableText.of(fault.get())));
      }
    }
  }
}
