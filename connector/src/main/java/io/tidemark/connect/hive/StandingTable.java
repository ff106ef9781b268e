package io.tidemark.connect.hive;

import io.tidemark.connect.table.TableDefinition;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.StorageDescriptor;
import org.apache.hadoop.hive.metastore.api.Table;

/**
 * A table as it stands in the Metastore, compared with what a connector would make. It is the
 * connector's, or somebody else's. A table that somebody made beforehand may be taken over when
 * nothing differs that its readers or Hive would notice.
 */
record StandingTable(Table table) {
  private static final String SCHEMA_VERSION = HiveCatalog.SCHEMA_VERSION;

  /** Whether a connector has registered it, and not only somebody with the same properties. */
  boolean registered() {
    return parameter(SCHEMA_VERSION).isPresent();
  }

  /** Why the connector's files may not become files of this table; empty where they may. */
  Optional<String> problem(TableDefinition ours) {
    Optional<String> kind = kind();
    if (kind.isPresent()) {
      return kind;
    }
    StorageDescriptor storage = table.getSd();
    String serde = storage.getSerdeInfo().getSerializationLib();
    if (!ours.storageFormat().serde().equals(serde)) {
      return Optional.of("its SerDe is " + serde + ", ours " + ours.storageFormat().serde());
    }
    if (!liesWith(ours)) {
      return Optional.of(
          "its files lie in " + storage.getLocation() + ", ours in " + ours.location());
    }
    List<String> columns = table.getPartitionKeys().stream().map(FieldSchema::getName).toList();
    if (!columns.equals(ours.partitionColumns())) {
      return Optional.of(
          "its partition columns are " + columns + ", ours " + ours.partitionColumns());
    }
    Optional<String> log = parameter(HiveCatalog.LOG);
    String ourLog = ours.parameters().getOrDefault(HiveCatalog.LOG, "");
    if (log.isPresent() && !log.get().equals(ourLog)) {
      return Optional.of("it is fed by the log " + log.get() + ", not by " + ourLog);
    }
    return Optional.empty();
  }

  /**
   * Why a table that somebody made beforehand may not be taken over, where {@link #problem} finds
   * nothing.
   *
   * @param ours the columns that the connector would give it, without the partition columns
   */
  Optional<String> unfit(TableDefinition definition, List<FieldSchema> ours) {
    StorageDescriptor storage = table.getSd();
    if (!definition.storageFormat().inputFormat().equals(storage.getInputFormat())) {
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
            "its partition column "
                + column.getName()
                + " is of type "
                + column.getType()
                + ", ours of type string");
      }
    }
    return differingColumns(ours);
  }

  /** The Metastore lets a table get columns behind those that it has, and no others. */
  private Optional<String> differingColumns(List<FieldSchema> ours) {
    List<FieldSchema> columns = table.getSd().getCols();
    for (int i = 0; i < columns.size(); i++) {
      String standing = HiveObjects.shown(columns.get(i));
      String own = i < ours.size() ? HiveObjects.shown(ours.get(i)) : "none";
      if (!standing.equals(own)) {
        return Optional.of(
            "its column %d is %s, ours in this place %s".formatted(i + 1, standing, own));
      }
    }
    return Optional.empty();
  }

  /** What it is, where it is no plain external table. */
  private Optional<String> kind() {
    String type = String.valueOf(table.getTableType());
    Optional<String> handler = parameter("storage_handler");
    if (type.equals("VIRTUAL_VIEW") || type.equals("MATERIALIZED_VIEW")) {
      return Optional.of("it is a view (" + type + "), which has no files of its own");
    }
    if (handler.isPresent()) {
      return Optional.of(
          "another program keeps its files, by the storage handler " + handler.get());
    }
    if (parameter("table_type").filter(format -> format.equalsIgnoreCase("ICEBERG")).isPresent()) {
      return Optional.of("it is an Iceberg table, which lists its files itself");
    }
    if (parameter("transactional").filter(yes -> yes.equalsIgnoreCase("true")).isPresent()) {
      return Optional.of(
          "it is no external table, but " + type + ", and transactional: Hive alone may write it");
    }
    return type.equals(HiveObjects.EXTERNAL_TABLE)
        ? Optional.empty()
        : Optional.of("it is no external table, but " + type + ", whose files Hive owns");
  }

  /** Whether files of the connector's would go when somebody drops the table. */
  boolean dropRemovesFilesOf(TableDefinition ours) {
    boolean removes =
        String.valueOf(table.getTableType()).equals("MANAGED_TABLE")
            || parameter("external.table.purge").filter("true"::equalsIgnoreCase).isPresent();
    return removes && liesWith(ours);
  }

  private boolean liesWith(TableDefinition ours) {
    return HiveObjects.withoutSlash(String.valueOf(table.getSd().getLocation()))
        .equals(HiveObjects.withoutSlash(ours.location()));
  }

  private Optional<String> parameter(String key) {
    return Optional.ofNullable(table.getParameters().get(key));
  }
}
