package io.tidemark.avro.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** Envelopes like those of Debezium around random rows, and the rows that they become. */
final class RandomEnvelope {
  private static final String NAMESPACE = "shop.public.orders";

  private final Schema schema;
  private final Schema row;
  private final boolean flat;

  private RandomEnvelope(Schema schema, Schema row, boolean flat) {
    this.schema = schema;
    this.row = row;
    this.flat = flat;
  }

  static RandomEnvelope around(Schema image, Random random) {
    Schema text = Schema.create(Schema.Type.STRING);
    Schema number = Schema.create(Schema.Type.LONG);
    Schema source =
        Schema.createRecord(
            "Source",
            null,
            "io.debezium.connector.postgresql",
            false,
            List.of(
                field("db", text),
                field("lsn", nullable(number, random)),
                field("sequence", nullable(text, random))));
    boolean flat = random.nextInt(4) > 0;
    List<Schema.Field> fields = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      fields.add(field("kafka_offset", number));
    }
    Schema images = nullable(image, random);
    boolean swapped = random.nextInt(4) == 0;
    fields.add(field(swapped ? "after" : "before", images));
    if (random.nextInt(4) == 0) {
      fields.add(field("op", text));
      fields.add(field(swapped ? "before" : "after", images));
    } else {
      fields.add(field(swapped ? "before" : "after", images));
      fields.add(field("op", text));
    }
    fields.add(
        random.nextInt(fields.size()), field("source", flat ? source : nullable(text, random)));
    fields.add(field("ts_ms", nullable(number, random)));
    Schema schema = Schema.createRecord("Envelope", null, NAMESPACE, false, fields);
    return new RandomEnvelope(schema, row(schema, image), flat);
  }

  private static Schema.Field field(String name, Schema type) {
    return new Schema.Field(name, type, null, (Object) null);
  }

  private static Schema nullable(Schema type, Random random) {
    Schema none = Schema.create(Schema.Type.NULL);
    return random.nextInt(4) == 0 ? Schema.createUnion(type, none) : Schema.createUnion(none, type);
  }

  private static Schema row(Schema envelope, Schema image) {
    List<Schema.Field> columns = new ArrayList<>();
    image.getFields().forEach(f -> columns.add(new Schema.Field(f, f.schema())));
    for (Schema.Field field : envelope.getFields()) {
      switch (field.name()) {
        case "before", "after" -> {}
        case "kafka_offset" -> columns.add(field("kafka_offset", field.schema()));
        case "source" -> {
          if (field.schema().isUnion()) {
            columns.add(field("cdc_source", field.schema()));
          } else {
            field
                .schema()
                .getFields()
                .forEach(f -> columns.add(field("cdc_source_" + f.name(), f.schema())));
          }
        }
        default -> columns.add(field("cdc_" + field.name(), field.schema()));
      }
    }
    return Schema.createRecord(image.getName(), null, image.getNamespace(), false, columns);
  }

  /** Returns the schema of the envelope. */
  Schema schema() {
    return schema;
  }

  /** Returns the schema of the rows. */
  Schema row() {
    return row;
  }

  /** Returns the row of a change; empty if it has neither image. */
  Optional<GenericRecord> row(GenericRecord change) {
    @Nullable Object image =
        change.get("after") == null ? change.get("before") : change.get("after");
    if (image == null) {
      return Optional.empty();
    }
    var made = new GenericData.Record(row);
    for (Schema.Field field : ((GenericRecord) image).getSchema().getFields()) {
      made.put(field.name(), ((GenericRecord) image).get(field.pos()));
    }
    if (schema.getField("kafka_offset") != null) {
      made.put("kafka_offset", change.get("kafka_offset"));
    }
    if (flat) {
      var source = (GenericRecord) Objects.requireNonNull(change.get("source"));
      for (Schema.Field field : source.getSchema().getFields()) {
        made.put("cdc_source_" + field.name(), source.get(field.pos()));
      }
    } else {
      made.put("cdc_source", change.get("source"));
    }
    made.put("cdc_op", change.get("op"));
    made.put("cdc_ts_ms", change.get("ts_ms"));
    return Optional.of(made);
  }
}
