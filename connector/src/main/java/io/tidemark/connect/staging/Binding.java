package io.tidemark.connect.staging;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import io.tidemark.connect.staging.Routing.FieldValues;
import io.tidemark.registry.RegisteredSchema;
import io.tidemark.registry.SchemaId;
import io.tidemark.store.PrintableText;
import io.tidemark.store.partition.CustomPartitioned;
import io.tidemark.store.partition.PartitionField;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.schema.SchemaConflictException;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The binding of a writer schema to a table: the table, the version of its schema, and the plan for
 * records with one schema id.
 *
 * @param partitionFields the readers of the fields that determine a record's Hive partition. The
 *     plan records positions of fields: the first of these are the partition fields, in this order
 * @param route the field that decides between several tables, whose first is {@code table}, if any
 */
public record Binding(
    SchemaId schemaId,
    Table table,
    TableSchema tableSchema,
    Plan plan,
    Optional<TimestampField> timestampField,
    List<PartitionField> partitionFields,
    Optional<FieldRoute> route) {

  static Binding toTable(SchemaId schemaId, Schema writer, Table table, TableSchema tableSchema)
      throws SchemaConflictException {
    Plan plan =
        table
            .options()
            .mapping()
            .plan(writer, tableSchema.schema(), table.partitioning().fieldPaths());
    return to(schemaId, table, tableSchema, plan);
  }

  /** The inputs of a writer schema's plan; tables with equal inputs share a plan. */
  private record Planned(Schema tableSchema, PartitionSpec partitioning, SchemaMapping mapping) {}

  /** Returns a binding to several tables, of which a field selects one. */
  static Binding byField(
      SchemaId schemaId, Schema writer, FieldValues values, Map<Table, TableSchema> tableSchemas)
      throws SchemaConflictException {
    Map<Planned, Plan> plans = new HashMap<>();
    Map<Table, Binding> byTable = new LinkedHashMap<>();
    for (Table table : values.tables()) {
      TableSchema tableSchema = Objects.requireNonNull(tableSchemas.get(table));
      Plan plan =
          plans.computeIfAbsent(
              new Planned(tableSchema.schema(), table.partitioning(), table.options().mapping()),
              planned ->
                  planned.mapping().plan(writer, planned.tableSchema(), paths(table, values)));
      byTable.put(table, to(schemaId, table, tableSchema, plan));
    }
    Binding first = byTable.values().iterator().next();
    Map<String, Binding> byValue = new LinkedHashMap<>();
    values
        .byValue()
        .forEach((value, table) -> byValue.put(value, Objects.requireNonNull(byTable.get(table))));
    return new Binding(
        schemaId,
        first.table(),
        first.tableSchema(),
        first.plan(),
        first.timestampField(),
        first.partitionFields(),
        Optional.of(
            new FieldRoute(
                values,
                FieldRoute.reader(first.tableSchema().schema(), values),
                byValue,
                values.others().map(byTable::get))));
  }

  /** Returns this binding, recreated if one of its tables has a new schema. */
  Binding renewed(Map<Table, TableSchema> evolved) throws SchemaConflictException {
    if (all().stream().allMatch(each -> each.isCurrent(evolved))) {
      return this;
    }
    Map<Table, TableSchema> now = new HashMap<>();
    all().forEach(each -> now.put(each.table(), each.tableSchema()));
    now.putAll(evolved);
    return route.isPresent()
        ? byField(schemaId, plan.writerSchema(), route.get().values(), now)
        : toTable(schemaId, plan.writerSchema(), table, Objects.requireNonNull(now.get(table)));
  }

  private boolean isCurrent(Map<Table, TableSchema> evolved) {
    TableSchema now = evolved.getOrDefault(table, tableSchema);
    return now.version() == tableSchema.version();
  }

  /** Returns the estimated heap of the plans and the writer's schema, in bytes. */
  long weight() {
    return RegisteredSchema.heapBytes(plan.writerSchema())
        + all().stream().map(Binding::plan).distinct().mapToLong(Plan::weight).sum();
  }

  private Set<Binding> all() {
    return route.map(FieldRoute::bindings).orElse(Set.of(this));
  }

  /** Rejects a table schema with which records of a writer schema could not land. */
  static void requireUsable(
      Schema writer, Schema tableSchema, Table table, Optional<FieldValues> byField)
      throws SchemaConflictException {
    List<String> paths = table.partitioning().fieldPaths();
    if (byField.isPresent()) {
      FieldRoute.reader(tableSchema, byField.get());
      paths = paths(table, byField.get());
    }
    placingFields(tableSchema, table);
    table.options().mapping().plan(writer, tableSchema, paths);
  }

  /** Returns the fields that determine the Hive partition, then the one for the table. */
  private static List<String> paths(Table table, FieldValues values) {
    List<String> paths = new ArrayList<>(table.partitioning().fieldPaths());
    if (!paths.contains(values.path())) {
      paths.add(values.path());
    }
    return paths;
  }

  private static Binding to(SchemaId schemaId, Table table, TableSchema schema, Plan plan)
      throws SchemaConflictException {
    PlacingFields fields = placingFields(schema.schema(), table);
    return new Binding(
        schemaId, table, schema, plan, fields.timestamp(), fields.partition(), Optional.empty());
  }

  /** The fields that determine a record's Hive partition. */
  private record PlacingFields(
      Optional<TimestampField> timestamp, List<PartitionField> partition) {}

  private static PlacingFields placingFields(Schema tableSchema, Table table)
      throws SchemaConflictException {
    PartitionSpec partitioning = table.partitioning();
    Optional<TimestampField> timestampField = Optional.empty();
    List<PartitionField> partitionFields = new ArrayList<>();
    Optional<TimePartitioned> byTime = partitioning.time();
    if (byTime.isPresent() && byTime.get().timestampField().isPresent()) {
      String path = byTime.get().timestampField().get();
      timestampField =
          Optional.of(
              TimestampField.of(
                  path, placingField(tableSchema, path), byTime.get().zone(), byTime.get().unit()));
    }
    for (String path : partitioning.valuePaths()) {
      partitionFields.add(PartitionField.of(path, placingField(tableSchema, path)));
    }
    requireColumnsOfTheirOwn(partitioning, tableSchema);
    return new PlacingFields(timestampField, List.copyOf(partitionFields));
  }

  private static Schema placingField(Schema tableSchema, String path)
      throws SchemaConflictException {
    try {
      return Planner.fieldSchema(tableSchema, path);
    } catch (IllegalArgumentException e) {
      throw new SchemaConflictException(
          "%s cannot be used to choose Hive partitions: %s. Give the topic or the table another partitioner or field (topic.NAME.partitioner.class, table.NAME.partitioner.class), or let a record that has the field come first: records without the field then have null there."
              .formatted(path, PrintableText.messageOf(e)));
    }
  }

  /** Rejects a field that a partition column of the same name would hide in Hive. */
  private static void requireColumnsOfTheirOwn(PartitionSpec partitioning, Schema tableSchema)
      throws SchemaConflictException {
    if (partitioning instanceof TimePartitioned) {
      return; // fields with the names of such columns, for example hour, have always been hidden
    }
    Set<String> shown = new HashSet<>();
    if (!(partitioning instanceof CustomPartitioned)) {
      shown.addAll(partitioning.valuePaths());
    }
    for (Schema.Field field : tableSchema.getFields()) {
      for (String column : partitioning.columns()) {
        if (field.name().equalsIgnoreCase(column) && !shown.contains(field.name())) {
          throw new SchemaConflictException(
              "the partition column %s would hide the field %s of the table in Hive. Give the field another name; or, while the table has no files, choose another partition.field.name, path.format or partitioner.class."
                  .formatted(column, PrintableText.of(field.name())));
        }
      }
    }
  }
}
