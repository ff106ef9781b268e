package io.tidemark.connect.staging;

import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.schema.TableSchema;

/** The table, schema and Hive partition that decide to which file of a batch a record goes. */
record Destination(Table table, TableSchema schema, HivePartition partition) {}
