package io.tidemark.completeness.show;

import java.util.List;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;

/**
 * The schema of events, which docs/COMPLETENESS.md describes. Fields are never removed, and new
 * fields have defaults. The descriptions of fields ({@code doc}) are part of the registered schema.
 * Times are {@code timestamp-millis}.
 */
final class EventSchema {
  private static final String NAMESPACE = "io.tidemark.ledger";

  /** The schema of a batch's part in one Hive partition. */
  static final Schema HIVE_PARTITION =
      new Fields("LandedHivePartition", "The records of a batch in one Hive partition.")
          .required(
              "hive_partition",
              text(),
              "the path of the Hive partition. Example: dt=2026-11-21/hour=07")
          .required("records", number(), "number of records")
          .required("bytes", number(), "total size of the files")
          .required("files", number(), "number of files")
          .optional("min_time", time(), "the smallest event time, null if there is none")
          .optional("max_time", time(), "the largest event time, null if there is none")
          .schema();

  /** The schema of an event. */
  static final Schema EVENT =
      new Fields(
              "Event", "An event of a connector's ledger. It can be sent again, with the same id.")
          .required("id", text(), "the event's id, which no other event has")
          .required("kind", text(), "batch, late, completion or revision")
          .required("subject", text(), "batch, hive-partition, table or group")
          .required("log_id", text(), "the log id of the connector (log.id)")
          .required("ledger_entry", number(), "the number of the event's entry in the ledger")
          .required("written_at", time(), "when that entry was written")
          .optional("table_name", text(), "the table. Example: default.orders")
          .optional("group_name", text(), "the group")
          .optional(
              "hive_partition",
              text(),
              "the path of the Hive partition. Example: dt=2026-11-21/hour=07")
          .optional("from_time", time(), "the first instant of the Hive partition")
          .optional("until_time", time(), "the first instant after the Hive partition")
          .optional(
              "complete_through", time(), "the time through which the table or group is complete")
          .optional("asked_at", time(), "when Kafka was asked for its end offsets")
          .optional("snapshot", number(), "the number of the ledger's entry with these offsets")
          .optional("records", number(), "number of records")
          .optional("bytes", number(), "total size of the files")
          .optional("files", number(), "number of files")
          .optional("late", number(), "number of late records")
          .optional("partial", flag(), "true if the ledger has not seen all files")
          .optional("landed", number(), "number of offsets that landed")
          .optional("dead_lettered", number(), "number of offsets in the dead letter topic")
          .optional(
              "skipped",
              number(),
              "number of offsets that the configuration or an operator skipped")
          .optional("not_delivered", number(), "number of offsets without a record")
          .optional("lost", number(), "number of offsets that Kafka removed before they landed")
          .optional("topic", text(), "the batch's topic")
          .optional("topic_partition", whole(), "the number of the batch's topic-partition")
          .optional("generation", whole(), "above 1 if the topic was recreated")
          .optional("entry", number(), "the batch's number in the commit log")
          .optional("first_offset", number(), "the batch's first offset")
          .optional("next_offset", number(), "the first offset after the batch")
          .empty("hive_partitions", HIVE_PARTITION, "the Hive partitions of the batch")
          .optional(
              "part",
              whole(),
              "the number of this event, from 0, if a batch has several for a table")
          .optional("parts", whole(), "the number of these events")
          .schema();

  private EventSchema() {}

  private static Schema text() {
    return Schema.create(Schema.Type.STRING);
  }

  private static Schema number() {
    return Schema.create(Schema.Type.LONG);
  }

  private static Schema whole() {
    return Schema.create(Schema.Type.INT);
  }

  private static Schema flag() {
    return Schema.create(Schema.Type.BOOLEAN);
  }

  private static Schema time() {
    return LogicalTypes.timestampMillis().addToSchema(number());
  }

  /** Builds a record's schema, in which each field has its documentation. */
  private static final class Fields {
    private final SchemaBuilder.FieldAssembler<Schema> fields;

    Fields(String name, String doc) {
      this.fields = SchemaBuilder.record(name).namespace(NAMESPACE).doc(doc).fields();
    }

    Fields required(String name, Schema type, String doc) {
      fields.name(name).doc(doc).type(type).noDefault();
      return this;
    }

    Fields optional(String name, Schema type, String doc) {
      fields.name(name).doc(doc).type().optional().type(type);
      return this;
    }

    Fields empty(String name, Schema items, String doc) {
      fields.name(name).doc(doc).type().array().items(items).arrayDefault(List.of());
      return this;
    }

    Schema schema() {
      return fields.endRecord();
    }
  }
}
