package io.tidemark.connect.table.schema;

import io.tidemark.connect.text.PrintableText;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaCompatibility.SchemaPairCompatibility;

/**
 * How a table's schema grows, so that it reads the files that lie there and the records that come.
 *
 * <ul>
 *   <li>A new field is appended, also in nested records.
 *   <li>A field that only one side has, and that has no default, becomes nullable with the default
 *       null: whichever of the two writers came first, the other's records find their place. So
 *       does a new field whose default is a record, a decimal or of a union of several types: Hive
 *       fails on those defaults in files that lack the field.
 *   <li>A field that is nullable on one side is nullable.
 *   <li>An int meets a long in a long; an int or a float meets another number in a double, which
 *       holds each of them exactly. So does a long that comes to a float or double of the table,
 *       where only longs that a double holds can land. Where the table has a long, no float or
 *       double joins: readers would round what lies there.
 *   <li>Symbols of an enum, and branches of a union of several types, are united. A field that is
 *       not such a union never becomes one: Hive reads a union's values by the file's own schema,
 *       and fails on the files that have none.
 *   <li>A decimal takes the larger precision; its scale must be equal, and is always written down,
 *       as Hive reads no decimal without one.
 *   <li>Where only one side has a logical type, the table's side counts.
 * </ul>
 *
 * <p>Fields and named types meet by name; aliases are not looked at, and the table has none. All
 * else is a {@link SchemaConflictException}.
 */
public final class SchemaEvolution {
  private static final int SHOWN = 3;

  private SchemaEvolution() {}

  /** The first schema of a table whose first records have this one. */
  public static Schema initial(Schema writer) throws SchemaConflictException {
    requireRecord(writer);
    return merged(writer, writer);
  }

  /** The table's schema, equal when it takes the writer's records as it is, else widened. */
  public static Schema evolve(Schema table, Schema writer) throws SchemaConflictException {
    requireRecord(writer);
    Schema merged = merged(table, writer);
    requireReadable(merged, table, "the table's files");
    requireReadable(merged, writer, "the records that come");
    return merged.equals(table) ? table : merged;
  }

  /**
   * As it is read from its text: Avro keeps a default that it was given as other JSON than one that
   * it has read, and {@code 0} of a long is not equal to itself then. A task that reads the stored
   * schema would write it again as the next version.
   */
  private static Schema merged(Schema table, Schema writer) throws SchemaConflictException {
    Schema merged = new SchemaMerge(table, writer).merged();
    try {
      return new Schema.Parser().parse(merged.toString());
    } catch (AvroRuntimeException e) {
      throw new SchemaConflictException(
          "%s: Avro does not read the schema that the table would have: %s. Correct a name or a default in the new schema, or give it another topic."
              .formatted(
                  PrintableText.of(table.getFullName()),
                  PrintableText.of(String.valueOf(e.getMessage()))));
    }
  }

  private static void requireRecord(Schema writer) throws SchemaConflictException {
    if (writer.getType() != Schema.Type.RECORD) {
      throw new SchemaConflictException(
          "A table's rows are records, but this schema is "
              + writer.getType().getName()
              + ". Send records, or leave the topic out.");
    }
  }

  private static void requireReadable(Schema reader, Schema written, String what)
      throws SchemaConflictException {
    SchemaPairCompatibility pair =
        SchemaCompatibility.checkReaderWriterCompatibility(reader, written);
    if (pair.getType() != SchemaCompatibilityType.COMPATIBLE) {
      throw new SchemaConflictException(
          "%s: no schema reads %s. %s. Give the new schema another topic, or make it compatible."
              .formatted(
                  PrintableText.of(reader.getFullName()),
                  what,
                  pair.getResult().getIncompatibilities().stream()
                      .limit(SHOWN)
                      .map(one -> one.getLocation() + ": " + PrintableText.of(one.getMessage()))
                      .toList()));
    }
  }
}
