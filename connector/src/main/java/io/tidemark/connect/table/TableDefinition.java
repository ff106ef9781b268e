package io.tidemark.connect.table;

import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * What the catalog is to know of a table.
 *
 * @param location URI of the table's root. Example: {@code hdfs://namenode:8020/topics/quotes}
 * @param schema the schema of the newest files; the catalog leaves out fields that are also
 *     partition columns
 * @param storageFormat how the files are read
 * @param partitionColumns all of Hive type string; none for an unpartitioned table
 * @param parameters table parameters that are ours, such as {@code tidemark.log}
 */
public record TableDefinition(
    TableName name,
    String location,
    Schema schema,
    StorageFormat storageFormat,
    List<String> partitionColumns,
    Map<String, String> parameters) {

  public TableDefinition {
    partitionColumns = List.copyOf(partitionColumns);
    parameters = Map.copyOf(parameters);
  }
}
