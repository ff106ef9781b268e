package io.tidemark.store.table;

import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * The definition of a table that is sent to the catalog, which omits fields of the newest files'
 * schema that are also partition columns.
 *
 * @param location URI of the table's root. Example: {@code hdfs://namenode:8020/topics/quotes}
 * @param partitionColumns all of Hive type string; empty for an unpartitioned table
 */
public record TableDefinition(
    TableName name,
    String location,
    Schema schema,
    List<String> partitionColumns,
    Map<String, String> parameters) {

  public TableDefinition {
    partitionColumns = List.copyOf(partitionColumns);
    parameters = Map.copyOf(parameters);
  }
}
