package io.tidemark.store.publish;

import io.tidemark.store.Storage;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import io.tidemark.store.table.TableSchemas;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.avro.Schema;

/**
 * The definitions of tables, as they were registered. They follow from a table's recorded layout
 * and its stored schemas, never from an entry. Not thread-safe, but for {@link #definition}.
 */
final class TableDefinitions {
  private static final Schema NO_SCHEMA =
      Schema.createRecord("Unknown", null, null, false, List.of());

  private final Storage storage;
  private final TableCatalog catalog;
  private final Function<TableName, Map<String, String>> tableParameters;
  private final Map<TableRoot, Registered> tables = new HashMap<>();
  private final Map<TableRoot, List<String>> columns = new HashMap<>();

  private record Registered(int version, TableDefinition definition) {}

  TableDefinitions(
      Storage storage,
      TableCatalog catalog,
      Function<TableName, Map<String, String>> tableParameters) {
    this.storage = storage;
    this.catalog = catalog;
    this.tableParameters = tableParameters;
  }

  boolean has(TableRoot table) {
    return tables.containsKey(table);
  }

  /** Returns the definition of a table that was registered with this schema or a later one. */
  Optional<TableDefinition> of(TableRoot table, int version) {
    return Optional.ofNullable(tables.get(table))
        .filter(each -> each.version() >= version)
        .map(Registered::definition);
  }

  /** Lets the next registration read the schemas: another task may have registered a newer one. */
  void renew(TableRoot table) {
    tables.computeIfPresent(table, (root, known) -> new Registered(0, known.definition()));
  }

  /** Only a former root may lack a recorded layout. The columns are then those of the file. */
  List<String> columns(TableRoot table, DataFile file) throws IOException, CorruptLogException {
    List<String> known = columns.get(table);
    if (known == null) {
      known =
          new LayoutFile(storage, table.layout())
              .read()
              .map(RecordedLayout::columns)
              .orElse(file.hivePartition().columns());
      columns.put(table, known);
    }
    return known;
  }

  TableDefinition register(TableRoot table, List<String> partitionColumns)
      throws IOException, CatalogConflictException {
    requireOneRoot(table);
    TableSchemas schemas = new TableSchemas(storage, table.layout());
    TableSchema schema = newest(schemas);
    while (true) {
      Map<String, String> version =
          Map.of("tidemark.schema.version", Integer.toString(schema.version()));
      TableDefinition definition = definition(table, schema.schema(), partitionColumns, version);
      catalog.registerTable(definition);
      // The catalog cannot fence: this registration may have replaced a newer schema of another
      // task. That task wrote the schema's file before the registration, so it is found now.
      TableSchema newer = newest(schemas);
      if (newer.version() <= schema.version()) {
        tables.put(table, new Registered(schema.version(), definition));
        return definition;
      }
      schema = newer;
    }
  }

  /** Rejects a second root: the catalog, with one location, would not find all files. */
  private void requireOneRoot(TableRoot table) throws CatalogConflictException {
    for (TableRoot other : tables.keySet()) {
      if (other.table().equals(table.table()) && !other.equals(table)) {
        throw new CatalogConflictException(
            "%s has files below %s and below %s: it was moved before its earlier files were registered. Hive has one location for a table. To leave the files below the former one out of Hive, restart the connector with hive.integration=false until each topic-partition of the table has landed a batch, and then with hive.integration=true."
                .formatted(
                    table.table(),
                    storage.location() + other.root(),
                    storage.location() + table.root()));
      }
    }
  }

  private static TableSchema newest(TableSchemas schemas)
      throws IOException, CatalogConflictException {
    try {
      return schemas
          .current()
          .orElseThrow(
              () ->
                  new CatalogConflictException(
                      schemas.place(1)
                          + " is missing, with all schemas of the table. Another program removed them. Restore them from a snapshot."));
    } catch (SchemaConflictException e) { // the stored schema is damaged
      throw new CatalogConflictException(String.valueOf(e.getMessage()));
    }
  }

  /** For requests about Hive partitions, which do not need the schema, so it is not read. */
  TableDefinition definition(TableRoot table, List<String> partitionColumns) {
    return definition(table, NO_SCHEMA, partitionColumns, Map.of());
  }

  private TableDefinition definition(
      TableRoot table, Schema schema, List<String> partitionColumns, Map<String, String> version) {
    Map<String, String> parameters = new HashMap<>(tableParameters.apply(table.table()));
    parameters.putAll(version);
    return new TableDefinition(
        table.table(), storage.location() + table.root(), schema, partitionColumns, parameters);
  }
}
