package io.tidemark.connect.staging;

import io.tidemark.connect.table.HivePartition;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableSchema;

/** What decides which file of a batch a record goes to. */
record Destination(Table table, TableSchema schema, HivePartition partition) {}
