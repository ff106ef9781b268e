package io.tidemark.connect.routing;

import io.tidemark.avro.plan.Plan;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.partition.PartitionField;
import io.tidemark.connect.table.partition.TimestampField;
import io.tidemark.connect.table.schema.TableSchema;
import io.tidemark.registry.SchemaId;
import java.util.List;
import java.util.Optional;

/**
 * A writer schema bound to a table: how records with one schema id land, with which version of the
 * table's schema, and by which plan.
 *
 * @param timestampField where the event time is read from; the record's own timestamp where there
 *     is none
 * @param partitionFields the fields whose values decide where a record lies, the first of those
 *     that the plan extracts; none unless the table is partitioned by fields
 * @param route the field whose value decides to which of several tables a record goes, where that
 *     is so; the table is then the first of them
 */
public record WriterBinding(
    SchemaId schemaId,
    Table table,
    TableSchema tableSchema,
    Plan plan,
    Optional<TimestampField> timestampField,
    List<PartitionField> partitionFields,
    Optional<FieldRoute> route) {

  /** A binding to one table. */
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
