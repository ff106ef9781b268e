package io.tidemark.completeness.reckon;

import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.table.Table;
import java.util.List;

/** A table whose completeness is computed, and its topics according to the configuration. */
public record ReckonedTable(Table table, List<String> topics) {

  public ReckonedTable {
    topics = List.copyOf(topics);
  }

  /**
   * Returns whether empty Hive partitions are created. This needs a table that is divided by time
   * alone: for other tables, the possible values of the fields are unknown.
   */
  boolean withEmpties() {
    return table.options().emptyPartitions() && table.partitioning() instanceof TimePartitioned;
  }
}
