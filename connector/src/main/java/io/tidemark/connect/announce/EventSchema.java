package io.tidemark.connect.announce;

import java.util.List;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;

/**
 * The schema of events, which docs/COMPLETENESS.md describes. Fields are never removed, and new
 * fields have defaults. The texts of fields are part of the registered schema. Times are {@code
 * timestamp-millis}.
 */
final class EventSchema {
  private static final String NAMESPACE = "io.tidemark.ledger";

  /** The schema of a batch's part in one Hive partition. */
  static final Schema HIVE_PARTITION =
      new Fields("LandedHivePartition", "What a batch has landed in one Hive partition.")
          .required("hive_partition", text(), "its path. Example: dt=2026-11-21/hour=07")
          .required("records", number(), "how many records")
          .required("bytes", number(), "the length of the files")
          .required("files", number(), "how many files")
          .optional("min_time", time(), "the smallest event time, where there is one")
          .optional("max_time", time(), "the largest event time, where there is one")
          .schema();

  /** The schema of an event. */
  static final Schema EVENT =
      new Fields("Event", "What the ledger of a log says. Copies have the same id.")
          .required("id", text(), "the same in every copy, and in no other event")
          .required("kind", text(), "batch, late, completion or revision")
          .required("subject", text(), "batch, hive-partition, table or group")
          .required("log_id", text(), "the log whose ledger it is")
          .required("ledger_entry", number(), "the number of the ledger's entry")
          .required("written_at", time(), "when that entry was written")
          .optional("table_name", text(), "the table. Example: default.orders")
          .optional("group_name", text(), "the group")
          .optional("hive_partition", text(), "its path. Example: dt=2026-11-21/hour=07")
          .optional("from_time", time(), "the first instant of the Hive partition")
          .optional("until_time", time(), "the first instant after it")
          .optional("complete_through", time(), "through which a table or group is complete")
          .optional("asked_at", time(), "when Kafka was asked for its end offsets")
          .optional("snapshot", number(), "the ledger's entry with these offsets")
          .optional("records", number(), "how many records")
          .optional("bytes", number(), "the length of the files")
          .optional("files", number(), "how many files")
          .optional("late", number(), "how many of the records came late")
          .optional("partial", flag(), "the ledger has not seen all files")
          .optional("landed", number(), "offsets that landed")
          .optional("dead_lettered", number(), "offsets in the dead letter topic")
          .optional("skipped", number(), "offsets left out by configuration or by an operator")
          .optional("not_delivered", number(), "offsets without a record")
          .optional("lost", number(), "offsets that Kafka removed before they landed")
          .optional("topic", text(), "the batch's topic")
          .optional("topic_partition", whole(), "its topic-partition")
          .optional("generation", whole(), "above 1 where the topic was made again")
          .optional("entry", number(), "the batch's number in the commit log")
          .optional("first_offset", number(), "the batch's first offset")
          .optional("next_offset", number(), "the first offset after it")
          .empty("hive_partitions", HIVE_PARTITION, "in which the batch landed")
          .optional("part", whole(), "from 0, where a batch has several events of a table")
          .optional("parts", whole(), "how many there are")
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
