package io.tidemark.connect.staging;

import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.schema.TableSchema;

/**
 * The table, schema and Hive partition of a record. They determine the record's file in a batch.
 */
record Destination(Table table, TableSchema schema, HivePartition partition) {}
