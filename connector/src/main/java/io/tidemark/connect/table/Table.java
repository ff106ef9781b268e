package io.tidemark.connect.table;

import io.tidemark.connect.table.partition.PartitionSpec;

/** A table that records land in: its name, where its files are, and how they are partitioned. */
public record Table(TableName name, TableLayout layout, PartitionSpec partitioning) {}
