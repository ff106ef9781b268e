package io.tidemark.connect.staging;

import io.tidemark.avro.plan.Planner;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableSchemas;
import io.tidemark.connect.table.partition.FieldPartitioned;
import io.tidemark.connect.table.partition.PartitionField;
import io.tidemark.connect.table.partition.PartitionSpec;
import io.tidemark.connect.table.partition.TimePartitioned;
import io.tidemark.connect.table.partition.TimestampField;
import io.tidemark.connect.table.schema.HiveSchema;
import io.tidemark.connect.table.schema.SchemaConflictException;
import io.tidemark.connect.table.schema.SchemaLimits;
import io.tidemark.connect.table.schema.TableSchema;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.registry.SchemaId;
import io.tidemark.registry.SchemaNotFoundException;
import io.tidemark.registry.SchemaRegistry;
import io.tidemark.registry.wire.SchemaIdReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the plans of one topic's records: resolves a schema id, evolves the table's schema where
 * needed, and plans every known schema id for the table's newest schema, so that old and new
 * writers land in the same files. Safe for use by many threads; every call may wait for the
 * registry and the store.
 */
public final class LandingPlanner {
  private static final Logger LOG = LoggerFactory.getLogger(LandingPlanner.class);

  private final SchemaRegistry registry;
  private final Supplier<SchemaIdReader> idReaders;
  private final Table table;
  private final TableSchemas schemas;
  private final boolean forHive;
  private final int mostPlans;

  /**
   * Makes a planner.
   *
   * @param idReaders make readers of the ids that the topic's records have
   * @param forHive the table is registered in Hive: a schema that Hive cannot have is refused
   *     before any of its records lands
   * @param mostPlans how many plans are kept: then all go but the newest, and are made anew when
   *     their records come
   */
  public LandingPlanner(
      SchemaRegistry registry,
      Supplier<SchemaIdReader> idReaders,
      Table table,
      TableSchemas schemas,
      boolean forHive,
      int mostPlans) {
    this.registry = registry;
    this.idReaders = idReaders;
    this.table = table;
    this.schemas = schemas;
    this.forHive = forHive;
    this.mostPlans = mostPlans;
  }

  /** A reader of the schema ids of the topic's records, for one thread. */
  public SchemaIdReader idReader() {
    return idReaders.get();
  }

  public Table table() {
    return table;
  }

  /**
   * The known plans, unless there are too many, and that of one more schema id.
   *
   * @throws SchemaNotFoundException the registry does not know the id
   * @throws SchemaConflictException the table cannot take records of that schema
   * @throws RegistryUnavailableException the registry is away: try again
   * @throws IOException the store is away: try again
   */
  public LandingPlans extend(LandingPlans known, SchemaId schemaId)
      throws SchemaNotFoundException,
          SchemaConflictException,
          RegistryUnavailableException,
          IOException,
          InterruptedException {
    Schema writer = registry.schema(schemaId).schema();
    SchemaLimits.check(writer);
    TableSchema tableSchema = schemas.evolve(writer, next -> requireUsable(next, writer));
    Map<SchemaId, LandingPlan> plans = new HashMap<>();
    boolean full = known.byId().size() >= mostPlans;
    for (LandingPlan plan : full ? List.<LandingPlan>of() : known.byId().values()) {
      plans.put(
          plan.schemaId(),
          plan.tableSchema().version() == tableSchema.version()
              ? plan
              : plan(plan.schemaId(), plan.plan().writerSchema(), tableSchema));
    }
    plans.put(schemaId, plan(schemaId, writer, tableSchema));
    return new LandingPlans(plans);
  }

  /**
   * Refuses a schema that would be the table's next: two writers' schemas may each be good, and the
   * table that takes both may not.
   */
  private void requireUsable(Schema next, Schema writer) throws SchemaConflictException {
    SchemaLimits.check(next);
    if (forHive) {
      HiveSchema columns = HiveSchema.of(next, table.partitioning().columns());
      LOG.debug("{}: columns of the next schema: {}", table.name(), columns);
    }
    placingFields(next);
    Planner.plan(writer, next, table.partitioning().fieldPaths());
  }

  private LandingPlan plan(SchemaId schemaId, Schema writer, TableSchema tableSchema)
      throws SchemaConflictException {
    PlacingFields fields = placingFields(tableSchema.schema());
    return new LandingPlan(
        schemaId,
        table,
        tableSchema,
        Planner.plan(writer, tableSchema.schema(), table.partitioning().fieldPaths()),
        fields.timestamp(),
        fields.partition());
  }

  /** The fields that decide where a record lies. */
  private record PlacingFields(
      Optional<TimestampField> timestamp, List<PartitionField> partition) {}

  private PlacingFields placingFields(Schema tableSchema) throws SchemaConflictException {
    PartitionSpec partitioning = table.partitioning();
    Optional<TimestampField> timestampField = Optional.empty();
    List<PartitionField> partitionFields = new ArrayList<>();
    for (String path : partitioning.fieldPaths()) {
      Schema field = Planner.fieldSchema(tableSchema, path);
      if (partitioning instanceof TimePartitioned byTime) {
        timestampField = Optional.of(TimestampField.of(path, field, byTime.zone()));
      } else {
        requireColumnOfItsOwn(path, tableSchema);
        partitionFields.add(PartitionField.of(path, field));
      }
    }
    return new PlacingFields(timestampField, List.copyOf(partitionFields));
  }

  /** Hive has one column of a name, and shows the partition column in place of a field. */
  private static void requireColumnOfItsOwn(String path, Schema tableSchema)
      throws SchemaConflictException {
    String column = FieldPartitioned.column(path);
    for (Schema.Field field : tableSchema.getFields()) {
      if (field.name().equalsIgnoreCase(column) && !field.name().equals(path)) {
        throw new SchemaConflictException(
            "the partition column %s, made of the field %s, would hide the field %s of the table in Hive. Choose another partition.field.name."
                .formatted(column, path, field.name()));
      }
    }
  }
}
