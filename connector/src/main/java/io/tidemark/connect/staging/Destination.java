package io.tidemark.connect.staging;

import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.schema.TableSchema;

/** What decides which file of a batch a record goes to. */
record Destination(Table table, TableSchema schema, HivePartition partition) {}
