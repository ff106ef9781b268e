package io.tidemark.store.schema;

import io.tidemark.avro.merge.MergedSchema;
import io.tidemark.avro.merge.UnmergeableSchemasException;
import io.tidemark.store.PrintableText;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Widens a table schema, so that it can read both the existing files and new records, by the rules
 * of {@link MergedSchema}. Any other difference causes a {@link SchemaConflictException}.
 */
public final class SchemaEvolution {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaEvolution.class);

  private SchemaEvolution() {}

  /** Returns the first schema of a table, from the checked writer schema of its first records. */
  public static Schema initial(Schema writer) throws SchemaConflictException {
    return merged(() -> MergedSchema.first(writer));
  }

  /** Returns the table schema, widened if it cannot read the writer's records yet. */
  public static Schema evolve(Schema table, Schema writer) throws SchemaConflictException {
    return merged(() -> MergedSchema.of(table, writer));
  }

  /** As {@link #evolve(Schema, Schema)}, for the changes that a setting permits. */
  public static Schema evolve(Schema table, Schema writer, SchemaCompatibility permitted)
      throws SchemaConflictException {
    Schema evolved = table;
    if (permitted.keepsTypes()) {
      evolved = merged(() -> MergedSchema.withoutNewFields(table, writer));
      for (Schema.Field field : table.getFields()) {
        if (!field.equals(evolved.getField(field.name()))) {
          throw new SchemaConflictException(
              "Field %s: its column would change for the record's schema, and schema.compatibility=%s keeps columns. Make the new schema compatible, or set another schema.compatibility for the table (table.NAME.schema.compatibility)."
                  .formatted(PrintableText.of(field.name()), permitted));
        }
      }
    }
    return permitted == SchemaCompatibility.FORWARD
        ? evolved
        : merged(
            () -> {
              MergedSchema merged = MergedSchema.of(table, writer);
              if (permitted.needsDefaults() && !merged.withoutDefault().isEmpty()) {
                throw new SchemaConflictException(
                    "Field %s: it is new and has no default, so with the record's schema a reader cannot read earlier records, as schema.compatibility=%s requires. Give the field a default, or set another schema.compatibility for the table (table.NAME.schema.compatibility)."
                        .formatted(PrintableText.of(merged.withoutDefault().get(0)), permitted));
              }
              return merged;
            });
  }

  private interface Merge {
    MergedSchema merge() throws UnmergeableSchemasException, SchemaConflictException;
  }

  private static Schema merged(Merge merge) throws SchemaConflictException {
    try {
      MergedSchema merged = merge.merge();
      merged
          .lost()
          .forEach(
              (field, lost) ->
                  LOG.warn(
                      "Field {}: rows without it have null and not its default {}, because Hive cannot read decimals, records and unions that a file lacks. Queries can add the default by COALESCE.",
                      PrintableText.of(field),
                      PrintableText.of(lost)));
      return merged.schema();
    } catch (UnmergeableSchemasException e) {
      throw new SchemaConflictException(String.valueOf(e.getMessage()));
    }
  }
}
