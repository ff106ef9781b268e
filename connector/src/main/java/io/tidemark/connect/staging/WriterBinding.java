package io.tidemark.connect.staging;

import io.tidemark.avro.plan.Plan;
import io.tidemark.registry.SchemaId;
import io.tidemark.store.partition.PartitionField;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.schema.TableSchema;
import io.tidemark.store.table.Table;
import java.util.List;
import java.util.Optional;

/**
 * The binding of a writer schema to a table: the table, the version of its schema, and the plan for
 * records with one schema id.
 *
 * @param timestampField the reader of the event time; empty for the record's own timestamp
 * @param partitionFields the readers of the fields that determine a record's Hive partition; empty
 *     unless the table is partitioned by fields. The plan records positions of fields: the first of
 *     these are the partition fields, in this order
 * @param route the field that decides between several tables, if any; {@code table} is then the
 *     first of these tables
 */
public record WriterBinding(
    SchemaId schemaId,
    Table table,
    TableSchema tableSchema,
    Plan plan,
    Optional<TimestampField> timestampField,
    List<PartitionField> partitionFields,
    Optional<FieldRoute> route) {

  /** Creates a binding to one table. */
  public WriterBinding(
      SchemaId schemaId,
      Table table,
      TableSchema tableSchema,
      Plan plan,
      Optional<TimestampField> timestampField,
      List<PartitionField> partitionFields) {
    this(schemaId, table, tableSchema, plan, timestampField, partitionFields, Optional.empty());
  }
}
