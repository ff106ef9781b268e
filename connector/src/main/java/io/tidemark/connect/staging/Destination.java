package io.tidemark.connect.staging;

import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * The table, schema and Hive partition of a record. They determine the record's file in a batch.
 *
 * <p>Destinations are keys that are looked up for each part of a chunk. A record's own methods
 * would hash and compare all settings of the table, which takes longer than copying the records.
 */
record Destination(Table table, TableSchema schema, HivePartition partition) {
  // Destinations of one table mostly share the table and the schema.
  @SuppressWarnings("ReferenceEquality")
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Destination that
        && partition.equals(that.partition)
        && (table == that.table || table.equals(that.table))
        && (schema == that.schema || schema.equals(that.schema));
  }

  @Override
  public int hashCode() {
    return 31 * partition.hashCode() + table.name().hashCode();
  }
}
