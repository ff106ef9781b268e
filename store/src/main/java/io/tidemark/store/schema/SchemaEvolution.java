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

  private interface Merge {
    MergedSchema merge() throws UnmergeableSchemasException;
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
