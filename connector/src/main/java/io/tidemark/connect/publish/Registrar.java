package io.tidemark.connect.publish;

import io.tidemark.connect.commit.entry.CommitEntry;
import io.tidemark.connect.format.DataFormat;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.table.CatalogConflictException;
import io.tidemark.connect.table.CatalogUnavailableException;
import io.tidemark.connect.table.DataFile;
import io.tidemark.connect.table.TableCatalog;
import io.tidemark.connect.table.TableDefinition;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.TableRoot;
import io.tidemark.connect.table.TableSchemas;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.schema.SchemaConflictException;
import io.tidemark.connect.table.schema.TableSchema;
import io.tidemark.connect.time.MonotonicClock;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes the catalog know the tables and Hive partitions of published entries. Idempotent; remembers
 * for an hour what it has registered, so that later batches cost no call. Safe for use by many
 * threads.
 */
public final class Registrar {
  private static final int REMEMBERED_PARTITIONS = 10_000;

  // Somebody may drop a Hive partition for which late records still come: their files would lie
  // where queries do not look.
  private static final long REMEMBERED_MS = 3_600_000;

  private final Storage storage;
  private final TableCatalog catalog;
  private final DataFormat format;
  private final Map<String, String> tableParameters;
  private final Map<TableName, Integer> registeredVersions = new HashMap<>();
  private final MonotonicClock clock;
  private final Map<TableName, Set<HivePartition>> registeredPartitions = new HashMap<>();
  private long forgetAtMs;

  /**
   * {@code tableParameters} are set on every table that is registered, such as the name of the
   * owning log.
   */
  public Registrar(
      Storage storage,
      TableCatalog catalog,
      DataFormat format,
      Map<String, String> tableParameters,
      MonotonicClock clock) {
    this.storage = storage;
    this.catalog = catalog;
    this.format = format;
    this.tableParameters = Map.copyOf(tableParameters);
    this.clock = clock;
  }

  /** Registers what the files of a batch belong to. */
  public void register(CommitEntry.Batch batch)
      throws IOException,
          CatalogUnavailableException,
          CatalogConflictException,
          SchemaConflictException {
    for (TableRoot table : batch.tables()) {
      List<DataFile> files =
          batch.files().stream().filter(file -> file.table().equals(table.table())).toList();
      if (!files.isEmpty()) {
        register(table.table(), table.root(), files);
      }
    }
  }

  private synchronized void register(TableName name, StoragePath root, List<DataFile> files)
      throws IOException,
          CatalogUnavailableException,
          CatalogConflictException,
          SchemaConflictException {
    if (clock.millis() >= forgetAtMs) {
      registeredPartitions.clear();
      forgetAtMs = clock.millis() + REMEMBERED_MS;
    }
    int version = files.stream().mapToInt(DataFile::schemaVersion).max().orElseThrow();
    Set<HivePartition> known = registeredPartitions.computeIfAbsent(name, table -> new HashSet<>());
    Set<HivePartition> missing = new LinkedHashSet<>();
    for (DataFile file : files) {
      if (!file.hivePartition().columns().isEmpty() && !known.contains(file.hivePartition())) {
        missing.add(file.hivePartition());
      }
    }
    boolean schemaKnown = registeredVersions.getOrDefault(name, 0) >= version;
    if (schemaKnown && missing.isEmpty()) {
      return;
    }
    TableSchemas schemas = new TableSchemas(storage, new TableLayout(root));
    TableSchema schema = newest(schemas, root);
    TableDefinition definition = definition(name, root, schema, files.get(0).hivePartition());
    if (!schemaKnown) {
      catalog.registerTable(definition);
      // The catalog cannot fence: a newer schema that another task registered meanwhile may lie
      // under this one. Its file stood before, so it is found now.
      for (TableSchema newer = newest(schemas, root);
          newer.version() > schema.version();
          newer = newest(schemas, root)) {
        schema = newer;
        definition = definition(name, root, schema, files.get(0).hivePartition());
        catalog.registerTable(definition);
      }
      registeredVersions.put(name, schema.version());
    }
    if (!missing.isEmpty()) {
      catalog.addPartitions(definition, missing);
      if (known.size() + missing.size() > REMEMBERED_PARTITIONS) {
        known.clear();
      }
      known.addAll(missing);
    }
  }

  private static TableSchema newest(TableSchemas schemas, StoragePath root)
      throws IOException, CatalogConflictException, SchemaConflictException {
    return schemas
        .current()
        .orElseThrow(
            () ->
                new CatalogConflictException(
                    root
                        + ": the table's schemas are gone from its metadata directory. Something"
                        + " else removed them. Restore them from a snapshot."));
  }

  private TableDefinition definition(
      TableName name, StoragePath root, TableSchema schema, HivePartition partition) {
    Map<String, String> parameters = new HashMap<>(tableParameters);
    parameters.put("tidemark.schema.version", Integer.toString(schema.version()));
    return new TableDefinition(
        name,
        storage.location() + root.value(),
        schema.schema(),
        format.storageFormat(),
        partition.columns(),
        parameters);
  }
}
