package io.tidemark.completeness.reckon;

import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.table.StorageFormat;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A table whose completeness is computed.
 *
 * @param table the table's name, location and partitioning
 * @param topics the topics of the table according to the configuration
 */
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

  /** Returns how the table is divided by time; empty if it is not divided by time. */
  Optional<TimePartitioned> byTime() {
    return table.partitioning().time();
  }

  /**
   * Returns the definition of the table for the catalog. The table's schema is unknown. It is not
   * needed, because tasks have registered the table.
   *
   * @param storeLocation the store's URI
   */
  TableDefinition definition(
      String storeLocation, StorageFormat format, Map<String, String> parameters) {
    return new TableDefinition(
        table.name(),
        storeLocation + table.layout().root().value(),
        Schema.createRecord("Unknown", null, null, false, List.of()),
        format,
        table.partitioning().columns(),
        parameters);
  }
}
