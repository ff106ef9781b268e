package io.tidemark.connect.table;

import io.tidemark.connect.table.partition.PartitionSpec;

/**
 * A table that records land in: its name, where its files are, how they are partitioned, and what
 * else is set of it.
 */
public record Table(
    TableName name, TableLayout layout, PartitionSpec partitioning, TableOptions options) {

  /** A table of which nothing else is set. */
  public Table(TableName name, TableLayout layout, PartitionSpec partitioning) {
    this(name, layout, partitioning, TableOptions.DEFAULT);
  }
}
