package io.tidemark.connect.hive;

import io.tidemark.store.table.TableDefinition;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;

/**
 * An existing table of the Metastore, and its comparison with the connector's definition. A user
 * may create it in advance, if readers and Hive see no difference.
 */
record ExistingTable(Table table) {
  /** Returns whether a connector registered the table: a user does not set its property. */
  boolean registered() {
    return parameter(HiveCatalog.SCHEMA_VERSION).isPresent();
  }

  /** Returns the reason why the connector must not write files for the table; empty if it may. */
  Optional<String> problem(TableDefinition ours) {
    Optional<String> kind = kind();
    if (kind.isPresent()) {
      return kind;
    }
    StorageDescriptor storage = table.getSd();
    String serde = storage.getSerdeInfo().getSerializationLib();
    if (!HiveObjects.SERDE.equals(serde)) {
      return Optional.of("its SerDe is " + serde + ", not " + HiveObjects.SERDE);
    }
    if (!liesWith(ours)) {
      return Optional.of("its location is " + storage.getLocation() + ", not " + ours.location());
    }
    List<String> columns = table.getPartitionKeys().stream().map(FieldSchema::getName).toList();
    if (!columns.equals(ours.partitionColumns())) {
      return Optional.of(
          "its partition columns are " + columns + ", not " + ours.partitionColumns());
    }
    Optional<String> log = parameter(HiveCatalog.LOG);
    String ourLog = ours.parameters().getOrDefault(HiveCatalog.LOG, "");
    if (log.isPresent() && !log.get().equals(ourLog)) {
      return Optional.of("the log " + log.get() + " writes it, not " + ourLog);
    }
    return storage();
  }

  /** Returns how Hive would read or write the table in another way than one of the connector. */
  private Optional<String> storage() {
    StorageDescriptor storage = table.getSd();
    if (!HiveObjects.INPUT_FORMAT.equals(storage.getInputFormat())) {
      return Optional.of("its input format is " + storage.getInputFormat());
    }
    if (storage.getBucketColsSize() > 0 || storage.getNumBuckets() > 0) {
      return Optional.of("it is bucketed by " + storage.getBucketCols());
    }
    if (storage.isSetSkewedInfo() && storage.getSkewedInfo().getSkewedColNamesSize() > 0) {
      return Optional.of("it is skewed by " + storage.getSkewedInfo().getSkewedColNames());
    }
    for (FieldSchema column : table.getPartitionKeys()) {
      if (!column.getType().equals("string")) {
        return Optional.of(
            "its partition column %s is of type %s, not string"
                .formatted(column.getName(), column.getType()));
      }
    }
    return Optional.empty();
  }

  /** Returns the kind of the table, if it is not a plain external table. */
  private Optional<String> kind() {
    String type = String.valueOf(table.getTableType());
    Optional<String> handler = parameter("storage_handler");
    if (type.equals("VIRTUAL_VIEW") || type.equals("MATERIALIZED_VIEW")) {
      return Optional.of("it is a view (" + type + "), which has no files of its own");
    }
    if (handler.isPresent()) {
      return Optional.of(
          "another program manages its files, by the storage handler " + handler.get());
    }
    if (parameter("table_type").filter(format -> format.equalsIgnoreCase("ICEBERG")).isPresent()) {
      return Optional.of("it is an Iceberg table, which lists its files itself");
    }
    if (parameter("transactional").filter(yes -> yes.equalsIgnoreCase("true")).isPresent()) {
      return Optional.of(
          "it is not an external table, but %s, and transactional: only Hive can write it"
              .formatted(type));
    }
    return type.equals(HiveObjects.EXTERNAL_TABLE)
        ? Optional.empty()
        : Optional.of("it is not an external table, but " + type + ", whose files Hive owns");
  }

  boolean dropRemovesFilesOf(TableDefinition ours) {
    return dropRemovesFiles() && liesWith(ours);
  }

  String filesAfterDrop() {
    return dropRemovesFiles()
        ? "Hive then deletes its files"
        : "the files of an external table stay";
  }

  private boolean dropRemovesFiles() {
    return String.valueOf(table.getTableType()).equals("MANAGED_TABLE")
        || parameter("external.table.purge").filter("true"::equalsIgnoreCase).isPresent();
  }

  private boolean liesWith(TableDefinition ours) {
    return HiveObjects.withoutSlash(String.valueOf(table.getSd().getLocation()))
        .equals(HiveObjects.withoutSlash(ours.location()));
  }

  private Optional<String> parameter(String key) {
    return Optional.ofNullable(table.getParameters().get(key));
  }
}
