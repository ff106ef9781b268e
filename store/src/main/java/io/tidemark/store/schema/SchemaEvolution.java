package io.tidemark.store.schema;

import io.tidemark.avro.plan.IncompatibleSchemasException;
import io.tidemark.avro.plan.Planner;
import io.tidemark.store.PrintableText;
import java.util.List;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * Widens a table schema, so that it can read both the existing files and new records.
 *
 * <ul>
 *   <li>A new field is appended, also in nested records.
 *   <li>A field that only one side has, without a default, becomes nullable with the default null.
 *       So records of either writer can be read, in any order. The same applies to a new field
 *       whose default is a record, a decimal, or a value of a union of several types: Hive fails on
 *       such defaults in files that lack the field.
 *   <li>A field that is nullable on one side is nullable.
 *   <li>An int and a long become a long. An int or a float, and another type of number, become a
 *       double, which represents each int and float exactly. If the table has a float or double and
 *       the writer a long, the field becomes a double too; only longs that a double represents
 *       exactly can land. If the table has a long, a float or double is rejected, because readers
 *       would round the longs.
 *   <li>Symbols of enums, and branches of unions of several types, are united. A field that is not
 *       such a union never becomes one: Hive reads a union's values by the file's own schema, and
 *       fails on files that have no union.
 *   <li>A decimal gets the larger precision. Its scale must be equal, and is always written out,
 *       because Hive cannot read a decimal without a scale.
 *   <li>If only one side has a logical type, the table's side is used.
 * </ul>
 *
 * <p>Fields are matched by name, and named types by their names without namespaces, or by an alias
 * of either side. The table's name is kept, and a name that an alias matched becomes an alias of
 * the table's type. Aliases of fields are ignored, and the table schema has none. Any other
 * difference causes a {@link SchemaConflictException}.
 */
public final class SchemaEvolution {
  private SchemaEvolution() {}

  /** Returns the first schema of a table, from the checked writer schema of its first records. */
  public static Schema initial(Schema writer) throws SchemaConflictException {
    return parsed(new SchemaMerge(writer, writer).merged(), writer);
  }

  /** Returns the table schema, widened if it cannot read the writer's records yet. */
  public static Schema evolve(Schema table, Schema writer) throws SchemaConflictException {
    SchemaMerge merge = new SchemaMerge(table, writer);
    Schema merged = parsed(merge.merged(), table);
    requireReadable(merged, table, "the table's files");
    requireReadable(merged, writer, "the new records");
    return merged.equals(table) && !merge.addsAliases() ? table : merged;
  }

  /**
   * Returns the merged schema, parsed from its own text. Avro stores a default that was set by a
   * program in another form than a parsed default. So the default {@code 0} of a long would differ
   * from the same default in the stored schema, and a task that reads the stored schema would write
   * it again as the next version.
   */
  private static Schema parsed(Schema merged, Schema table) throws SchemaConflictException {
    try {
      return new Schema.Parser().parse(merged.toString());
    } catch (AvroRuntimeException e) {
      throw new SchemaConflictException(
          "%s: Avro cannot read the merged schema of the table: %s. Correct a name or a default in the new schema, or give it another topic."
              .formatted(
                  PrintableText.of(table.getFullName()),
                  PrintableText.of(String.valueOf(e.getMessage()))));
    }
  }

  private static void requireReadable(Schema reader, Schema written, String what)
      throws SchemaConflictException {
    Optional<String> fault;
    try {
      fault = Planner.plan(written, reader, List.of()).unresolvable();
    } catch (IncompatibleSchemasException e) {
      fault = Optional.of(PrintableText.messageOf(e));
    }
    if (fault.isPresent()) {
      throw new SchemaConflictException(
          "%s: the merged schema cannot read %s: %s. Give the new schema another topic, or make it compatible."
              .formatted(
                  PrintableText.of(reader.getFullName()), what, PrintableText.line(fault.get())));
    }
  }
}
