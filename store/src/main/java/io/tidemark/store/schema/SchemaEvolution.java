package io.tidemark.store.schema;

import io.tidemark.avro.plan.IncompatibleSchemasException;
import io.tidemark.avro.plan.Planner;
import io.tidemark.store.PrintableText;
import java.util.List;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * Widens a table schema, so that it can read both the existing files and new records. The rules are
 * in docs/TABLES.md, "Schema changes". Any other difference causes a {@link
 * SchemaConflictException}.
 *
 * <p>A plain type never becomes a union of several types: Hive reads a union's values by the file's
 * own schema, and fails on files that have no union. The scale of a decimal is always written out,
 * because Hive cannot read a decimal without a scale. Fields are matched by name, and named types
 * by their names without namespaces, or by an alias of either side. A name that an alias matched
 * becomes an alias of the table's type. Aliases of fields are ignored, and the table schema has
 * none.
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
