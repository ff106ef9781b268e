package io.tidemark.store.table;

import io.tidemark.store.partition.PartitionSpec;

/** A table in which records land: its name, its directories, its partitioning, and its options. */
public record Table(
    TableName name, TableLayout layout, PartitionSpec partitioning, TableOptions options) {

  public TableRoot root() {
    return new TableRoot(name, layout.root());
  }
}
