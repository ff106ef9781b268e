package io.tidemark.connect.reckon;

import io.tidemark.connect.table.StorageFormat;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableDefinition;
import io.tidemark.connect.table.partition.TimePartitioned;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * A table whose completeness is reckoned.
 *
 * @param table its name, where its files are, and how they are partitioned
 * @param topics those that the configuration says feed it
 */
public record ReckonedTable(Table table, List<String> topics) {

  public ReckonedTable {
    topics = List.copyOf(topics);
  }

  /**
   * Whether Hive partitions are made to which no record came: only where time alone divides the
   * table, as below a field's values nobody knows which Hive partitions there could be.
   */
  boolean withEmpties() {
    return table.options().emptyPartitions() && table.partitioning() instanceof TimePartitioned;
  }

  /** How it is divided by time; empty where it is not. */
  Optional<TimePartitioned> byTime() {
    return table.partitioning().time();
  }

  /**
   * The table as the catalog finds it. Its schema is not known here and not needed: tasks have
   * registered the table.
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
