package io.tidemark.connect.staging;

import io.tidemark.avro.mapping.UnmappableSchemaException;
import io.tidemark.avro.plan.Plan;
import io.tidemark.connect.staging.Routing.FieldValues;
import io.tidemark.registry.RegistryException;
import io.tidemark.registry.RegistryRefusedException;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaChangedException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.SchemaIdReader;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.PrintableText;
import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.schema.KafkaColumns;
import io.tidemark.store.schema.KeyColumns;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.SchemaEvolution;
import io.tidemark.store.schema.SchemaLimits;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableSchemas;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds the writer schemas of one topic to tables. It resolves a schema id, routes its schema to a
 * table, and evolves the table's schema. It then binds known schema ids to the newest schema of
 * their table, so that records of old and new writers land in the same files. Thread-safe.
 */
public final class SchemaBinder {
  private static final Logger LOG = LoggerFactory.getLogger(SchemaBinder.class);

  /** The maximum heap of a topic's bindings, in bytes; the last binding is not limited. */
  private static final long MOST_BYTES = 16 << 20;

  /** The length of a schema's text from which planning may take long. */
  private static final int LARGE_CHARACTERS = 1 << 16;

  private final SchemaRegistry registry;
  private final Supplier<SchemaIdReader> idReaders;
  private final Routing routing;
  private final Map<Table, TableSchemas> schemas = new HashMap<>();
  private final boolean forHive;
  private final int mostBindings;
  private final SchemaLimits limits;
  private final Optional<KafkaColumns> columns;
  private final Optional<KeyedRows> rows;

  /** Plans a large schema, perhaps beyond its time. */
  private Thread planning = new Thread();

  /**
   * @param idReaders creates readers of the schema ids of the topic's records
   * @param schemas opens the stored schemas of a table
   * @param forHive whether the tables are registered in Hive: a schema without a mapping to Hive is
   *     then rejected before any of its records lands
   * @param mostBindings the maximum number of retained bindings. When a binding is added at the
   *     limit, all earlier ones are discarded, and recreated when their records arrive
   * @param limits the maximum sizes of a schema
   * @param columns the columns of Kafka in front of every record; empty if there are none
   * @param rows creates rows from keys and values; empty if rows contain only the value
   */
  public SchemaBinder(
      SchemaRegistry registry,
      Supplier<SchemaIdReader> idReaders,
      Routing routing,
      Function<TableLayout, TableSchemas> schemas,
      boolean forHive,
      int mostBindings,
      SchemaLimits limits,
      Optional<KafkaColumns> columns,
      Optional<KeyedRows> rows) {
    this.columns = columns;
    this.rows = rows;
    this.registry = registry;
    this.idReaders = idReaders;
    this.routing = routing;
    routing
        .tables()
        .forEach(
            table ->
                this.schemas.put(
                    table,
                    schemas
                        .apply(table.layout())
                        .permitting(table.options().schemaRules().permitted())));
    this.forHive = forHive;
    this.mostBindings = mostBindings;
    this.limits = limits;
  }

  /** Returns a reader that is not thread-safe. */
  public SchemaIdReader idReader() {
    return idReaders.get();
  }

  /** Returns a reader of rows of key and value, not thread-safe; empty if rows have only values. */
  public Optional<RowReader> rowReader() {
    return rows.map(made -> made.reader(idReaders.get()));
  }

  public List<Table> tables() {
    return routing.tables();
  }

  /**
   * Adds the binding of a schema id to the known bindings, and returns all. If the known bindings
   * have reached the limit, they are discarded before the new one is added.
   *
   * @throws SchemaConflictException the table cannot accept records of that schema
   * @throws UnroutedException no routing rule applies to records of that schema
   * @throws RegistryRefusedException the registry rejects the request as malformed
   * @throws RegistryUnavailableException the registry is unavailable: retry
   * @throws IOException the store is unavailable: retry
   */
  public Bindings extend(Bindings known, SchemaId schemaId)
      throws RegistryException,
          SchemaConflictException,
          UnroutedException,
          IOException,
          InterruptedException {
    try {
      while (true) {
        if (!(schemaId instanceof SchemaId.OfKeyAndValue both)) {
          return extend(known, schemaId, registry.schema(schemaId).schema());
        }
        Optional<Schema> existing = existing();
        try {
          return extend(known, schemaId, rows.orElseThrow().schema(both, known, existing));
        } catch (SchemaConflictException e) {
          if (existing.isPresent() || existing().isEmpty()) {
            throw e;
          }
          // Another task has created the table's first schema, which sets the record name.
        }
      }
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError | LinkageError e) {
      LOG.debug("{} is unusable", schemaId, PrintableFailure.of(e));
      throw SchemaConflictException.ofWorker(
          "it cannot be used: %s. Make it smaller or simpler, or leave the topic out."
              .formatted(PrintableText.of(e)));
    }
  }

  /** Returns the schema of the topic's only table; empty if there is none yet. */
  private Optional<Schema> existing() throws IOException, SchemaConflictException {
    for (TableSchemas each : schemas.values()) {
      Optional<Schema> current = each.current().map(TableSchema::schema);
      if (current.isPresent()) {
        return current;
      }
    }
    return Optional.empty();
  }

  private Bindings extend(Bindings known, SchemaId schemaId, Schema registered)
      throws RegistryException,
          SchemaConflictException,
          UnroutedException,
          IOException,
          InterruptedException {
    Routing route = routing.route(registered);
    try {
      return extend(known, schemaId, registered, route);
    } catch (SchemaConflictException e) {
      if (!e.ofSchema()) {
        throw e;
      }
      Optional<Table> beside = routing.beside(route.tables().get(0));
      if (beside.isPresent()) {
        return extend(known, schemaId, registered, Routing.toOne(beside.get()));
      }
      boolean deadLetters =
          route.tables().stream().allMatch(each -> each.options().schemaRules().deadLetters());
      throw deadLetters ? e.withDeadLetters() : e;
    }
  }

  private Bindings extend(Bindings known, SchemaId schemaId, Schema registered, Routing route)
      throws SchemaConflictException, IOException, InterruptedException {
    limits.check(registered);
    List<Table> tables = route.tables();
    Optional<FieldValues> byField =
        route instanceof FieldValues values ? Optional.of(values) : Optional.empty();
    Schema writer =
        byField.isPresent()
            ? withColumns(registered)
            : underItsName(tables.get(0), withColumns(registered));
    if (writer.toString().length() > LARGE_CHARACTERS) {
      requireInTime(writer, tables);
    }
    if (tables.size() > 1) {
      for (Table table : tables) {
        schemas(table)
            .requireTakes(
                inTable(table, writer), next -> requireUsable(next, writer, table, byField));
      }
    }
    Map<Table, TableSchema> merged = new HashMap<>();
    for (Table table : tables) {
      merged.put(
          table,
          schemas(table)
              .evolve(inTable(table, writer), next -> requireUsable(next, writer, table, byField)));
    }
    Binding made =
        byField.isPresent()
            ? Binding.byField(schemaId, writer, byField.get(), merged)
            : Binding.toTable(
                schemaId, writer, tables.get(0), Objects.requireNonNull(merged.get(tables.get(0))));
    Map<SchemaId, Binding> bindings = new HashMap<>();
    bindings.put(schemaId, made);
    long weight = made.weight();
    if (known.byId().size() < mostBindings) {
      for (Binding binding : known.byId().values()) {
        Binding renewed = binding.renewed(merged);
        long more = renewed.weight();
        if (weight + more > MOST_BYTES) {
          break; // The others are recreated when their records arrive.
        }
        weight += bindings.putIfAbsent(binding.schemaId(), renewed) == null ? more : 0;
      }
    }
    return new Bindings(bindings, weight);
  }

  /**
   * Merges and plans a large schema first in a thread of its own, which is left alone after the
   * time: Avro's library cannot be interrupted. Until it ends, no other large schema is planned.
   * All other errors come again in the caller's thread.
   */
  private synchronized void requireInTime(Schema writer, List<Table> tables)
      throws SchemaConflictException, IOException, InterruptedException {
    for (Table table : tables) {
      Optional<TableSchema> existing = schemas(table).current();
      FutureTask<Plan> planned =
          new FutureTask<>(
              () -> {
                Schema merged = inTable(table, writer);
                return table
                    .options()
                    .mapping()
                    .plan(
                        writer,
                        existing.isEmpty()
                            ? SchemaEvolution.initial(merged)
                            : SchemaEvolution.evolve(
                                existing.get().schema(),
                                merged,
                                table.options().schemaRules().permitted()),
                        List.of());
              });
      try {
        planning.join(limits.planMs());
        if (planning.isAlive()) {
          throw SchemaConflictException.passing(
              "an earlier large schema of its topic is still being planned, beyond plan.timeout.ms. The task tries this one again by itself. Skip the records of the earlier one, and if its plan does not end, restart the worker.");
        }
        planning = new Thread(planned, "tidemark-schema-plan");
        planning.setDaemon(true);
        planning.start();
        Plan unused = planned.get(limits.planMs(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        throw SchemaConflictException.ofWorker(
            "its conversion is not planned within %d ms (plan.timeout.ms). Make it smaller or simpler, leave the topic out, or permit more time."
                .formatted(limits.planMs()));
      } catch (ExecutionException e) {
        LOG.debug("{} cannot be planned", table.name(), e);
      }
    }
  }

  private static Schema inTable(Table table, Schema writer) throws SchemaConflictException {
    try {
      return table.options().mapping().schema(writer);
    } catch (UnmappableSchemaException e) {
      throw new SchemaConflictException(
          "the rules for types and fields do not apply to it: %s. Correct types.* or fields.* for its table, or leave the topic out."
              .formatted(PrintableText.messageOf(e)));
    }
  }

  private TableSchemas schemas(Table table) {
    return Objects.requireNonNull(
        schemas.get(table), () -> table + " is not a table of the routing");
  }

  /**
   * Returns the writer schema with the record name of the table, if rows once contained the key and
   * the first record had no value. Such a table accepts values of any record name.
   */
  private Schema underItsName(Table table, Schema writer)
      throws IOException, SchemaConflictException {
    Optional<TableSchema> existing = rows.isPresent() ? Optional.empty() : schemas(table).current();
    if (existing.isEmpty()) {
      return writer;
    }
    Schema named = KeyColumns.underNameOf(existing.get().schema(), writer);
    limits.check(named);
    return named;
  }

  /** Returns the registered schema with the columns of Kafka in front. */
  private Schema withColumns(Schema registered) throws SchemaConflictException {
    if (columns.isEmpty()) {
      return registered;
    }
    Schema extended = columns.get().inFrontOf(registered);
    limits.check(extended); // a recursive record would now be two types of one name
    return extended;
  }

  /** Returns the conflict if the registry now returns another schema for a bound schema id. */
  public Optional<SchemaChangedException> contradiction(Bindings known) {
    Map<SchemaId, SchemaChangedException> all = registry.contradictions();
    return all.isEmpty()
        ? Optional.empty()
        : all.values().stream().filter(change -> isOf(known, change.id())).findFirst();
  }

  static boolean isOf(Bindings known, SchemaId id) {
    return known.find(id) != null
        || known.byId().keySet().stream()
            .anyMatch(each -> each instanceof SchemaId.OfKeyAndValue both && both.has(id));
  }

  /** Two writer schemas may each be usable while their merged schema is not. */
  private void requireUsable(Schema next, Schema writer, Table table, Optional<FieldValues> byField)
      throws SchemaConflictException {
    limits.check(next);
    if (forHive && table.options().inHive()) {
      HiveSchema hiveColumns = HiveSchema.of(next, table.partitioning().columns());
      LOG.debug(
          "{}: columns of the next schema: {}",
          table.name(),
          PrintableText.line(hiveColumns.toString()));
    }
    Binding.requireUsable(writer, next, table, byField);
  }
}
