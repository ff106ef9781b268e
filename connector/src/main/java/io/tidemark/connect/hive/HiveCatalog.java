package io.tidemark.connect.hive;

import io.tidemark.connect.health.KnownFailure;
import io.tidemark.connect.health.Service;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.ReadOnlyCatalog;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hive.metastore.api.AlreadyExistsException;
import org.apache.hadoop.hive.metastore.api.ClientCapabilities;
import org.apache.hadoop.hive.metastore.api.ClientCapability;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.GetTableRequest;
import org.apache.hadoop.hive.metastore.api.InvalidOperationException;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.thrift.TException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catalog in the Hive Metastore. Thread-safe.
 *
 * <p>The class uses only calls of the Metastore's wire protocol that servers support from 3.1 on.
 * Hive's own client of 4.x needs a server of 4.x.
 *
 * <p>This is one class, because each change of a table depends on what the others read and wrote.
 *
 * <p>Several tasks update one table. The table's parameter {@value #SCHEMA_VERSION} is the version
 * of the schema in the catalog. A task does not replace a newer version. After a task has altered
 * the table, it reads the table again. The Metastore cannot fence, because its compare-and-set of a
 * parameter fails on Derby and Oracle. So two tasks that widen the schema within milliseconds may
 * leave the narrower schema in the catalog. A task that registers a schema therefore checks
 * afterwards whether the table has a newer schema, and registers the newer one.
 *
 * <p>What another program has changed is never overwritten: {@link HiveObjects#altered}.
 */
public final class HiveCatalog implements TableCatalog, ReadOnlyCatalog {

  /** The table parameter with the version of the schema in the catalog. */
  public static final String SCHEMA_VERSION = "tidemark.schema.version";

  /** The table parameter with the name of the log directory that owns the table. */
  public static final String LOG = "tidemark.log";

  /** The parameter of two tables with their names, and that of the view over them. */
  public static final String VIEW = "tidemark.view";

  private static final Logger LOGGER = LoggerFactory.getLogger(HiveCatalog.class);
  private static final int MAX_RACES = 10;

  private final MetastoreSettings settings;
  private final MetastoreConnection metastore;
  private final Set<TableName> outside;

  /**
   * Creates a catalog that connects at its first use. Calls for tables {@code outside} of Hive
   * succeed and do nothing: no table is missing.
   */
  public HiveCatalog(MetastoreSettings settings, Set<TableName> outside) {
    this.settings = settings;
    this.outside = Set.copyOf(outside);
    this.metastore = new MetastoreConnection(settings);
  }

  /** Returns the parameters of a table: its log directory, and those that the user has chosen. */
  public static Map<String, String> parameters(String logId, Map<String, String> chosen) {
    Map<String, String> parameters = new HashMap<>(chosen);
    parameters.put(LOG, logId);
    return parameters;
  }

  @Override
  public boolean exists(TableName name)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      return outside.contains(name) || find(name).isPresent();
    } catch (TException e) {
      throw refused("read the table " + name, e);
    }
  }

  @Override
  public Set<HivePartition> partitions(TableName name)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      return HiveObjects.partitions(
          metastore.call(
              "Listing the Hive partitions of " + name,
              client -> client.get_partition_names(name.database(), name.table(), (short) -1)));
    } catch (NoSuchObjectException e) {
      return Set.of();
    } catch (TException e) {
      throw refused("list the Hive partitions of " + name, e);
    }
  }

  @Override
  public void registerTable(TableDefinition definition)
      throws CatalogUnavailableException, CatalogConflictException {
    if (outside.contains(definition.name())) {
      return;
    }
    register(definition, hiveSchema(definition));
    String view = definition.parameters().getOrDefault(VIEW, "");
    if (!view.isEmpty()) {
      refresh(Stream.of(view.split(",", -1)).map(TableName::parse).toList());
    }
  }

  private void register(TableDefinition definition, HiveSchema schema)
      throws CatalogUnavailableException, CatalogConflictException {
    Optional<InvalidOperationException> refusal = Optional.empty();
    boolean altered = false;
    try {
      for (int race = 0; race < MAX_RACES; race++) {
        Optional<Table> existing = findFit(definition, schema);
        if (existing.isEmpty()) {
          if (create(definition, schema)) {
            return;
          }
        } else if (isCurrent(existing.get(), definition)
            && (altered || isDescribed(existing.get(), definition, schema))) {
          return;
        } else {
          try {
            alter(existing.get(), definition, schema);
            altered = true;
          } catch (InvalidOperationException e) {
            // While two tasks alter a table, the Metastore may reject a change that neither made.
            refusal = Optional.of(e);
          }
        }
      }
      if (refusal.isPresent()) {
        throw refusal.get();
      }
    } catch (TException e) {
      throw refused("register the table " + definition.name(), e);
    }
    throw new CatalogConflictException(
        "%s: the table was changed or dropped %d times while it was registered. Find the other program that alters it."
            .formatted(definition.name(), MAX_RACES));
  }

  /** Updates a view whose tables are both the connector's. The tables do not wait for it. */
  private void refresh(List<TableName> names) {
    TableName view = names.get(2);
    try {
      Optional<Table> first = find(names.get(0)).filter(HiveCatalog::isRegistered);
      Optional<Table> second = find(names.get(1)).filter(HiveCatalog::isRegistered);
      if (first.isEmpty() || second.isEmpty()) {
        return;
      }
      Table made = HiveViews.over(first.get(), second.get(), view.table());
      Optional<Table> existing = find(view);
      if (existing.isEmpty()) {
        metastore.run("Creating " + view, client -> client.create_table(made));
      } else if (!HiveViews.isUnchanged(existing.get())) {
        LOGGER.warn(
            "{}: another program has created or changed it, so it is not made a view over two tables. Drop it, and restart the connector.",
            view);
      } else if (!made.getViewExpandedText().equals(existing.get().getViewExpandedText())) {
        replace(view, made);
      }
    } catch (TException | CatalogUnavailableException e) {
      LOGGER.warn("{}: the view is updated at the next start", view, PrintableFailure.of(e));
    }
  }

  private static boolean isRegistered(Table table) {
    return new ExistingTable(table).registered();
  }

  @Override
  public List<UnseenPartition> addPartitions(
      TableDefinition definition, Collection<HivePartition> added)
      throws CatalogUnavailableException, CatalogConflictException {
    return addPartitions(definition, added, Set.of());
  }

  @Override
  public List<UnseenPartition> addPartitions(
      TableDefinition definition,
      Collection<HivePartition> added,
      Set<HivePartition> expectedMissing)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      return outside.contains(definition.name())
          ? List.of()
          : partitions(upToDate(definition), definition).add(added, expectedMissing);
    } catch (TException e) {
      throw refused("add Hive partitions to " + definition.name(), e);
    }
  }

  @Override
  public void requireFit(TableDefinition definition)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      findFit(definition, hiveSchema(definition));
    } catch (TException e) {
      throw refused("read the table " + definition.name(), e);
    }
  }

  @Override
  public List<UnseenPartition> unseen(TableDefinition definition, Collection<HivePartition> asked)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      return outside.contains(definition.name())
          ? List.of()
          : partitions(requireTable(definition), definition).unseen(asked);
    } catch (TException e) {
      throw refused("read Hive partitions of " + definition.name(), e);
    }
  }

  @Override
  public void dropPartitions(TableDefinition definition, Collection<HivePartition> dropped)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      Optional<Table> table = find(definition.name());
      if (table.isPresent()) {
        partitions(requireOurs(table.get(), definition), definition).drop(dropped);
      }
    } catch (TException e) {
      throw refused("drop Hive partitions of " + definition.name(), e);
    }
  }

  @Override
  public void relocatePartition(
      TableDefinition definition, HivePartition partition, String location)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      partitions(requireTable(definition), definition).relocate(partition, location);
    } catch (TException e) {
      throw refused("relocate the Hive partition " + partition + " of " + definition.name(), e);
    }
  }

  @Override
  public void close() {
    metastore.close();
  }

  private HivePartitions partitions(Table table, TableDefinition definition) {
    return new HivePartitions(metastore, table, definition.name());
  }

  private static HiveSchema hiveSchema(TableDefinition definition) throws CatalogConflictException {
    try {
      return HiveSchema.of(definition.schema(), definition.partitionColumns());
    } catch (SchemaConflictException e) {
      throw new CatalogConflictException(definition.name() + ": " + e.getMessage());
    }
  }

  private Optional<Table> find(TableName name) throws CatalogUnavailableException, TException {
    GetTableRequest request =
        new GetTableRequest(
            name.database().toLowerCase(Locale.ROOT), name.table().toLowerCase(Locale.ROOT));
    // Without these capabilities, the error for a transactional table would look like an outage.
    request.setCapabilities(new ClientCapabilities(List.of(ClientCapability.INSERT_ONLY_TABLES)));
    try {
      return Optional.of(
          metastore.call("Reading " + name, client -> client.get_table_req(request).getTable()));
    } catch (NoSuchObjectException e) {
      return Optional.empty();
    }
  }

  /** Returns false if another task created the table: the caller reads and compares it next. */
  private boolean create(TableDefinition definition, HiveSchema schema)
      throws CatalogUnavailableException, TException {
    Table table = HiveObjects.table(definition, schema, settings.access().user().name());
    createDatabase(table.getDbName());
    try {
      metastore.run("Creating " + definition.name(), client -> client.create_table(table));
      return true;
    } catch (AlreadyExistsException e) {
      return false;
    }
  }

  private void createDatabase(String name) throws CatalogUnavailableException, TException {
    metastore.call(
        "Creating the database " + name,
        client -> {
          try {
            return client.get_database(name);
          } catch (NoSuchObjectException missing) {
            Database database = new Database();
            database.setName(name);
            try {
              client.create_database(database);
            } catch (AlreadyExistsException made) {
              return client.get_database(name);
            }
            return database;
          }
        });
  }

  private void alter(Table table, TableDefinition definition, HiveSchema schema)
      throws CatalogUnavailableException, TException {
    Table altered = table.deepCopy();
    HiveObjects.describe(altered, definition, schema);
    replace(definition.name(), altered);
  }

  private void replace(TableName name, Table altered)
      throws CatalogUnavailableException, TException {
    metastore.run(
        "Altering " + name,
        client ->
            client.alter_table_with_environment_context(
                altered.getDbName(),
                altered.getTableName(),
                altered,
                HiveObjects.withoutStatistics()));
  }

  /** Returns the table, after restoring the connector's properties if they were changed. */
  private Table upToDate(TableDefinition definition)
      throws CatalogUnavailableException, CatalogConflictException, TException {
    if (!definition.parameters().containsKey(SCHEMA_VERSION)) {
      return requireTable(definition); // This caller, the reckoner, does not know the schema.
    }
    HiveSchema schema = hiveSchema(definition);
    Table table = requireThere(findFit(definition, schema), definition);
    if (isCurrent(table, definition) && isDescribed(table, definition, schema)) {
      return table;
    }
    LOGGER.warn(
        "{}: the connector's properties were changed in Hive, or by an earlier release; setting them",
        definition.name());
    alter(table, definition, schema);
    return requireTable(definition);
  }

  private Table requireTable(TableDefinition definition)
      throws CatalogUnavailableException, CatalogConflictException, TException {
    return requireOurs(requireThere(find(definition.name()), definition), definition);
  }

  private static Table requireThere(Optional<Table> found, TableDefinition definition)
      throws CatalogConflictException {
    return found.orElseThrow(
        () ->
            new CatalogConflictException(
                "%s: the table was dropped from Hive, or renamed there. A task creates it again with its next batch. Restart the connector to create it at once."
                    .formatted(definition.name())));
  }

  /** Returns the table if a connector registered it for the same files. */
  private static Table requireOurs(Table table, TableDefinition definition)
      throws CatalogConflictException {
    ExistingTable existing = new ExistingTable(table);
    Optional<String> problem = existing.problem(definition);
    if (problem.isPresent()) {
      throw notOurs(existing, definition, problem.get());
    }
    if (!existing.registered()) {
      throw notOurs(existing, definition, "it has no parameter " + SCHEMA_VERSION);
    }
    return table;
  }

  /**
   * Finds a table that is the connector's, or was created in advance and can become that. Reads the
   * table twice before a change is rejected: a read may see half of what another task changes.
   */
  private Optional<Table> findFit(TableDefinition definition, HiveSchema schema)
      throws CatalogUnavailableException, CatalogConflictException, TException {
    Optional<Table> table = find(definition.name());
    Optional<Table> before = Optional.empty();
    while (table.isPresent()
        && !table.equals(before)
        && HiveObjects.altered(table.get(), schema).isPresent()) {
      before = table;
      table = find(definition.name());
    }
    if (table.isPresent()) {
      requireFit(table.get(), definition, schema);
    }
    return table;
  }

  private static void requireFit(Table table, TableDefinition definition, HiveSchema schema)
      throws CatalogConflictException {
    ExistingTable existing = new ExistingTable(table);
    Optional<String> problem = existing.problem(definition);
    if (problem.isEmpty() && !existing.registered()) {
      problem = HiveObjects.firstDiffering(table, HiveObjects.columns(schema));
    }
    if (problem.isPresent()) {
      throw notOurs(existing, definition, problem.get());
    }
    Optional<String> altered = HiveObjects.altered(table, schema);
    if (altered.isPresent()) {
      throw new CatalogConflictException(
          "%1$s: another program changed the table in Hive: %2$s. New files of this table are not registered. Undo the change; or let the connector undo it, by ALTER TABLE %1$s UNSET TBLPROPERTIES ('%3$s'). If the Metastore rejects both, drop the table (%4$s)."
              .formatted(
                  definition.name(),
                  altered.get(),
                  HiveObjects.REGISTERED,
                  existing.filesAfterDrop()));
    }
    if (!existing.registered()) {
      LOGGER.info("{}: an existing table, created in advance, is now used", definition.name());
    }
  }

  private static CatalogConflictException notOurs(
      ExistingTable existing, TableDefinition definition, String problem) {
    String cure =
        existing.dropRemovesFilesOf(definition)
            ? "It has the same directory as this connector's files, which Hive would delete with the table: do not drop it. Make it external: ALTER TABLE %s SET TBLPROPERTIES ('EXTERNAL'='TRUE', 'external.table.purge'='FALSE'). Or set another hive.table.name and topics.dir."
                .formatted(definition.name())
            : "Set another hive.table.name or hive.database; or drop that table (%s) and restart the connector, which registers all files in %s."
                .formatted(existing.filesAfterDrop(), definition.location());
    return new CatalogConflictException(
        "%s: Hive has a table of this name that is not this connector's: %s. %s"
            .formatted(definition.name(), problem, cure));
  }

  private static boolean isCurrent(Table table, TableDefinition definition) {
    int existing = version(table.getParameters());
    int ours = version(definition.parameters());
    return existing > ours
        || (existing == ours
            && table.getParameters().entrySet().containsAll(definition.parameters().entrySet()));
  }

  /** Whether the schema and the columns are the connector's, or a newer version is registered. */
  private static boolean isDescribed(Table table, TableDefinition definition, HiveSchema schema) {
    return version(table.getParameters()) > version(definition.parameters())
        || HiveObjects.isDescribed(table, schema);
  }

  private static int version(Map<String, String> parameters) {
    String version = parameters.getOrDefault(SCHEMA_VERSION, "");
    return version.matches("[0-9]{1,9}") ? Integer.parseInt(version) : 0;
  }

  static CatalogConflictException refused(String what, TException e) {
    Optional<String> byDatabase =
        e instanceof MetaException meta ? DatabaseRefusal.in(meta) : Optional.empty();
    CatalogConflictException refused =
        new CatalogConflictException(
            byDatabase
                .map(
                    said ->
                        "Hive cannot %s, because the Metastore's database cannot store such a name or value: %s. Widen that column, convert it to UTF-8, or remove the pattern; then restart the task; what has landed stays."
                            .formatted(what, said))
                .orElseGet(
                    () ->
                        KnownFailure.of(Service.METASTORE, e)
                            .after("Hive refuses to %s: %s".formatted(what, e))));
    refused.initCause(e);
    return refused;
  }
}
