package io.tidemark.avro.merge;

import io.tidemark.avro.plan.IncompatibleSchemasException;
import io.tidemark.avro.plan.Planner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * A schema that reads the data of a table's schema and of a writer's. It has the fields of both,
 * and the wider type of each. docs/TABLES.md, "Schema changes", has the rules. Any other difference
 * causes an {@link UnmergeableSchemasException}.
 *
 * <p>A plain type never becomes a union of several types: Hive reads a union's values by the file's
 * own schema, and fails on files that have no union. The scale of a decimal is always written out,
 * because Hive cannot read a decimal without a scale. Fields are matched by name, and named types
 * by their names without namespaces, or by an alias of either side. A name that an alias matched
 * becomes an alias of the table's type. Aliases of fields are ignored, and the merged schema has
 * none.
 *
 * @param lost by new field, the default that Hive cannot read in files that lack the field: it is
 *     null there. Example: {@code Quote.price} and {@code 0}
 * @param withoutDefault the new fields that have no default
 */
public record MergedSchema(Schema schema, Map<String, String> lost, List<String> withoutDefault) {

  public MergedSchema {
    lost = Map.copyOf(lost);
    withoutDefault = List.copyOf(withoutDefault);
  }

  /** Returns the first schema of a table, from the writer schema of its first records. */
  public static MergedSchema first(Schema writer) throws UnmergeableSchemasException {
    SchemaMerge merge = new SchemaMerge(writer, writer, true);
    return new MergedSchema(parsed(merge.merged(), writer), merge.lostDefaults(), List.of());
  }

  /** Returns the table's own schema if it can read the writer's data, or else a wider one. */
  public static MergedSchema of(Schema table, Schema writer) throws UnmergeableSchemasException {
    return of(table, writer, true);
  }

  /** As {@link #of}, but the fields that the table lacks are left out. */
  public static MergedSchema withoutNewFields(Schema table, Schema writer)
      throws UnmergeableSchemasException {
    return of(table, writer, false);
  }

  private static MergedSchema of(Schema table, Schema writer, boolean newFields)
      throws UnmergeableSchemasException {
    SchemaMerge merge = new SchemaMerge(table, writer, newFields);
    Schema merged = parsed(merge.merged(), table);
    requireReadable(merged, table, "the table's files");
    requireReadable(merged, writer, "the new records");
    return new MergedSchema(
        merged.equals(table) && !merge.addsAliases() ? table : merged,
        merge.lostDefaults(),
        merge.withoutDefault());
  }

  /**
   * Returns the merged schema, parsed from its own text. Avro stores a default that was set by a
   * program in another form than a parsed default. So the default {@code 0} of a long would differ
   * from the same default in the stored schema, and a task that reads the stored schema would write
   * it again as the next version.
   */
  private static Schema parsed(Schema merged, Schema table) throws UnmergeableSchemasException {
    try {
      return new Schema.Parser().parse(merged.toString());
    } catch (AvroRuntimeException e) {
      throw new UnmergeableSchemasException(
          "%s: Avro cannot read the merged schema of the table: %s. Correct a name or a default in the new schema, or give it another topic."
              .formatted(
                  UnmergeableSchemasException.shown(table.getFullName()),
                  UnmergeableSchemasException.shown(String.valueOf(e.getMessage()))));
    }
  }

  private static void requireReadable(Schema reader, Schema written, String what)
      throws UnmergeableSchemasException {
    Optional<String> fault;
    try {
      fault = Planner.plan(written, reader, List.of()).unresolvable();
    } catch (IncompatibleSchemasException e) {
      fault = Optional.of(String.valueOf(e.getMessage()));
    }
    if (fault.isPresent()) {
      throw new UnmergeableSchemasException(
          "%s: the merged schema cannot read %s: %s. Give the new schema another topic, or make it compatible."
              .formatted(
                  UnmergeableSchemasException.shown(reader.getFullName()), what, fault.get()));
    }
  }
}
