package io.tidemark.connect.hive;

import io.tidemark.connect.table.CatalogConflictException;
import io.tidemark.connect.table.CatalogUnavailableException;
import io.tidemark.connect.table.TableCatalog;
import io.tidemark.connect.table.TableDefinition;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.UnseenPartition;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.schema.HiveSchema;
import io.tidemark.connect.table.schema.SchemaConflictException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hive.metastore.api.AlreadyExistsException;
import org.apache.hadoop.hive.metastore.api.ClientCapabilities;
import org.apache.hadoop.hive.metastore.api.ClientCapability;
import org.apache.hadoop.hive.metastore.api.Database;
import org.apache.hadoop.hive.metastore.api.EnvironmentContext;
import org.apache.hadoop.hive.metastore.api.GetTableRequest;
import org.apache.hadoop.hive.metastore.api.InvalidOperationException;
import org.apache.hadoop.hive.metastore.api.MetaException;
import org.apache.hadoop.hive.metastore.api.NoSuchObjectException;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.thrift.TException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Hive Metastore as catalog. Safe for use by many threads.
 *
 * <p>It speaks the Metastore's wire protocol with calls that servers from 3.1 on answer, where
 * Hive's own client of 4.x needs a server of 4.x.
 *
 * <p>Several tasks keep one table up to date. Its parameter {@value #SCHEMA_VERSION} says which
 * version of the schema stands there; a task that finds a newer one leaves it, and reads the table
 * again after it has altered it. The Metastore cannot fence (its compare-and-set of a parameter
 * fails on Derby and Oracle), so two tasks that widen the schema within the same milliseconds may
 * leave the narrower one standing: who registers a schema looks afterwards whether the table has a
 * newer one by then, and registers that.
 */
public final class HiveCatalog implements TableCatalog {

  /** The table parameter that tells the version of the schema that stands in the catalog. */
  public static final String SCHEMA_VERSION = "tidemark.schema.version";

  /** The table parameter that tells which log feeds the table. */
  public static final String LOG = "tidemark.log";

  private static final Logger LOGGER = LoggerFactory.getLogger(HiveCatalog.class);
  private static final int MAX_RACES = 10;

  private final MetastoreSettings settings;
  private final MetastoreConnection metastore;
  private final HivePartitions partitions;

  /** A catalog that connects when it is first used. */
  public HiveCatalog(MetastoreSettings settings) {
    this.settings = settings;
    this.metastore = new MetastoreConnection(settings);
    this.partitions = new HivePartitions(metastore);
  }

  /** The parameters of each table that a log feeds: whose it is, and what its user chose. */
  public static Map<String, String> parameters(String logId, Map<String, String> chosen) {
    Map<String, String> parameters = new HashMap<>(chosen);
    parameters.put(LOG, logId);
    return parameters;
  }

  @Override
  public boolean exists(TableName name)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      return find(name).isPresent();
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
    HiveSchema schema = hiveSchema(definition);
    Optional<InvalidOperationException> refusal = Optional.empty();
    boolean altered = false;
    try {
      for (int race = 0; race < MAX_RACES; race++) {
        Optional<Table> existing = find(definition.name());
        if (existing.isEmpty()) {
          create(definition, schema);
        } else if (isCurrent(requireFit(existing.get(), definition, schema), definition)
            && (altered || isDescribed(existing.get(), definition, schema))) {
          return;
        } else {
          try {
            alter(existing.get(), definition, schema);
            altered = true;
          } catch (InvalidOperationException e) {
            // While another task alters the table, the Metastore finds changes that nobody makes.
            refusal = Optional.of(e);
          }
        }
      }
    } catch (TException e) {
      throw refused("register the table " + definition.name(), e);
    }
    if (refusal.isPresent()) {
      throw refused("register the table " + definition.name(), refusal.get());
    }
    throw new CatalogConflictException(
        definition.name()
            + ": the table was changed or dropped "
            + MAX_RACES
            + " times while it was registered. Look for another program that alters it.");
  }

  @Override
  public List<UnseenPartition> addPartitions(
      TableDefinition definition, Collection<HivePartition> added)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      return partitions.add(upToDate(definition), definition.name(), added);
    } catch (TException e) {
      throw refused("add Hive partitions to " + definition.name(), e);
    }
  }

  /**
   * Those Hive partitions whose files queries do not see. Adds none.
   *
   * @throws CatalogUnavailableException the catalog is away: try again
   * @throws CatalogConflictException the table is not there or not ours
   */
  public List<UnseenPartition> unseen(TableDefinition definition, Collection<HivePartition> asked)
      throws CatalogUnavailableException, CatalogConflictException {
    try {
      return partitions.unseen(requireTable(definition), definition.name(), asked);
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
        partitions.drop(requireOurs(table.get(), definition), dropped);
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
      partitions.relocate(requireTable(definition), partition, location);
    } catch (TException e) {
      throw refused("relocate the Hive partition " + partition + " of " + definition.name(), e);
    }
  }

  @Override
  public void close() {
    metastore.close();
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
    // Else a transactional table of somebody else is answered as the outages are.
    request.setCapabilities(new ClientCapabilities(List.of(ClientCapability.INSERT_ONLY_TABLES)));
    try {
      return Optional.of(
          metastore.call("Reading " + name, client -> client.get_table_req(request).getTable()));
    } catch (NoSuchObjectException e) {
      return Optional.empty();
    }
  }

  private void create(TableDefinition definition, HiveSchema schema)
      throws CatalogUnavailableException, TException {
    Table table = HiveObjects.table(definition, schema, settings.user());
    createDatabase(table.getDbName());
    try {
      metastore.run("Creating " + definition.name(), client -> client.create_table(table));
    } catch (AlreadyExistsException e) {
      // Another task made it: it is read next, and compared.
      return;
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
    EnvironmentContext context = new EnvironmentContext();
    context.putToProperties("DO_NOT_UPDATE_STATS", "true");
    Table altered = table.deepCopy();
    HiveObjects.describe(altered, definition, schema);
    metastore.run(
        "Altering " + definition.name(),
        client ->
            client.alter_table_with_environment_context(
                table.getDbName(), table.getTableName(), altered, context));
  }

  /** The table, in which somebody may have changed what is ours since it was registered. */
  private Table upToDate(TableDefinition definition)
      throws CatalogUnavailableException, CatalogConflictException, TException {
    if (!definition.parameters().containsKey(SCHEMA_VERSION)) {
      return requireTable(definition); // Who asks, as the reckoner, does not know the schema.
    }
    HiveSchema schema = hiveSchema(definition);
    Table table = requireFit(requireThere(definition), definition, schema);
    if (isCurrent(table, definition) && isDescribed(table, definition, schema)) {
      return table;
    }
    LOGGER.warn(
        "{}: the table's schema or properties were changed in Hive, and are put right",
        definition.name());
    alter(table, definition, schema);
    return requireTable(definition);
  }

  private Table requireTable(TableDefinition definition)
      throws CatalogUnavailableException, CatalogConflictException, TException {
    return requireOurs(requireThere(definition), definition);
  }

  private Table requireThere(TableDefinition definition)
      throws CatalogUnavailableException, CatalogConflictException, TException {
    return find(definition.name())
        .orElseThrow(
            () ->
                new CatalogConflictException(
                    definition.name()
                        + ": the table was dropped from Hive, or renamed there. A task makes it"
                        + " again with its next batch. Restart the connector to have it at once."));
  }

  /** The table itself, when it is one that Tidemark made from the same files. */
  private static Table requireOurs(Table table, TableDefinition definition)
      throws CatalogConflictException {
    StandingTable standing = new StandingTable(table);
    Optional<String> problem = standing.problem(definition);
    if (problem.isPresent()) {
      throw notOurs(standing, definition, problem.get());
    }
    if (!standing.registered()) {
      throw notOurs(standing, definition, "it has no parameter " + SCHEMA_VERSION);
    }
    return table;
  }

  /** The table, when it is ours, or one made beforehand that may become ours. */
  private static Table requireFit(Table table, TableDefinition definition, HiveSchema schema)
      throws CatalogConflictException {
    StandingTable standing = new StandingTable(table);
    Optional<String> problem = standing.problem(definition);
    if (problem.isEmpty() && !standing.registered()) {
      problem = standing.unfit(definition, HiveObjects.columns(schema));
    }
    if (problem.isPresent()) {
      throw notOurs(standing, definition, problem.get());
    }
    if (!standing.registered()) {
      LOGGER.info("{}: the table was made beforehand, and is taken over", definition.name());
    }
    return table;
  }

  private static CatalogConflictException notOurs(
      StandingTable standing, TableDefinition definition, String problem) {
    String cure =
        standing.dropRemovesFilesOf(definition)
            ? (". Its files lie where this connector's do, and Hive would remove them with the table:"
                    + " do not drop it. Make it external: ALTER TABLE %s SET TBLPROPERTIES"
                    + " ('EXTERNAL'='TRUE', 'external.table.purge'='FALSE'). Or set another"
                    + " hive.table.name and topics.dir.")
                .formatted(definition.name())
            : ". Set another hive.table.name or hive.database; or drop that table (the files of an"
                + " external table stay) and restart the connector, which registers all that lies in "
                + definition.location()
                + ".";
    return new CatalogConflictException(
        definition.name()
            + ": a table of this name stands in Hive that is not this connector's: "
            + problem
            + cure);
  }

  private static boolean isCurrent(Table table, TableDefinition definition) {
    int standing = version(table.getParameters());
    int ours = version(definition.parameters());
    return standing > ours
        || (standing == ours
            && table.getParameters().entrySet().containsAll(definition.parameters().entrySet()));
  }

  /** The schema and the columns are ours, where nobody has registered a newer version. */
  private static boolean isDescribed(Table table, TableDefinition definition, HiveSchema schema) {
    return version(table.getParameters()) > version(definition.parameters())
        || HiveObjects.isDescribed(table, definition, schema);
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
                        "Hive cannot "
                            + what
                            + ", because the Metastore's database does not hold such a name or value: "
                            + said
                            + ". Widen that column, convert it to UTF-8, or take the pattern away, then restart the"
                            + " task; what has landed stays.")
                .orElseGet(
                    () ->
                        "Hive refuses to "
                            + what
                            + ": "
                            + e
                            + ". Look at the Metastore's log, and at the table in Hive."));
    refused.initCause(e);
    return refused;
  }
}
