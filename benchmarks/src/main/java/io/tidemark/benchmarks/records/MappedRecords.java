package io.tidemark.benchmarks.records;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.benchmarks.records.ReferenceRecord.Generator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.BiFunction;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.Encoder;

/**
 * Records that a {@link SchemaMapping} converts, one for each conversion, and the same conversion
 * of Avro's objects. Of 40 fields every second has the type that is converted.
 */
final class MappedRecords {
  private static final String NAMESPACE = "io.tidemark.benchmarks";
  private static final int PAIRS = 20;
  private static final String SALT = "0f6c1d88";
  private static final Schema LONG = Schema.create(Schema.Type.LONG);
  private static final Schema STRING = Schema.create(Schema.Type.STRING);
  private static final int DECIMAL_BYTES = 9;
  private static final LogicalTypes.Decimal DECIMAL = LogicalTypes.decimal(20, 2);
  private static final Conversions.DecimalConversion DECIMALS = new Conversions.DecimalConversion();

  private MappedRecords() {}

  static List<ReferenceRecord> all() {
    return List.of(
        timestamps(),
        enums(),
        uuids(),
        decimals(),
        unions(),
        hashes(),
        masks(),
        excluded(),
        changes());
  }

  private static ReferenceRecord timestamps() {
    Schema micros = LogicalTypes.timestampMicros().addToSchema(Schema.create(Schema.Type.LONG));
    return mapped(
        "timestamp",
        micros,
        SchemaMapping.builder().type("timestamp-micros", "timestamp-millis").truncate(),
        (random, out) -> out.writeLong(1_790_000_000_000_000L + random.nextLong(1L << 43)),
        (value, schema) -> Math.floorDiv((Long) value, 1_000L));
  }

  private static ReferenceRecord enums() {
    List<String> symbols = List.of("NEW", "PAID", "SHIPPED", "RETURNED");
    return mapped(
        "enum",
        Schema.createEnum("State", null, NAMESPACE, symbols),
        SchemaMapping.builder().type("enum", "string"),
        (random, out) -> out.writeEnum(random.nextInt(symbols.size())),
        (value, schema) -> value.toString());
  }

  private static ReferenceRecord uuids() {
    Schema fixed = LogicalTypes.uuid().addToSchema(Schema.createFixed("Id", null, NAMESPACE, 16));
    return mapped(
        "uuid",
        fixed,
        SchemaMapping.builder().type("uuid", "string"),
        (random, out) -> {
          out.writeFixed(ByteBuffer.allocate(16).putLong(random.nextLong()).putLong(1).array());
        },
        (value, schema) -> {
          ByteBuffer bytes = ByteBuffer.wrap(((GenericFixed) value).bytes());
          return new UUID(bytes.getLong(), bytes.getLong()).toString();
        });
  }

  private static ReferenceRecord decimals() {
    Schema bytes = DECIMAL.addToSchema(Schema.create(Schema.Type.BYTES));
    return mapped(
        "decimal",
        bytes,
        SchemaMapping.builder().type("decimal", "fixed"),
        (random, out) -> {
          byte[] digits = new byte[random.nextInt(1, DECIMAL_BYTES)];
          random.nextBytes(digits);
          out.writeBytes(digits);
        },
        (value, schema) ->
            DECIMALS.toFixed(
                DECIMALS.fromBytes((ByteBuffer) value, bytes, DECIMAL), schema, DECIMAL));
  }

  private static ReferenceRecord unions() {
    return mapped(
        "union",
        Schema.createUnion(LONG, STRING),
        SchemaMapping.builder().type("union", "record"),
        (random, out) -> {
          boolean number = random.nextBoolean();
          out.writeIndex(number ? 0 : 1);
          if (number) {
            out.writeLong(random.nextLong(1L << 40));
          } else {
            out.writeString(ReferenceRecord.letters(random, 12));
          }
        },
        (value, schema) -> {
          var record = new GenericData.Record(schema);
          record.put(value instanceof Long ? 0 : 1, value);
          return record;
        });
  }

  private static ReferenceRecord hashes() {
    var rules = SchemaMapping.builder();
    names().forEach(name -> rules.hash(name, SALT));
    return mapped(
        "hash",
        STRING,
        rules,
        (random, out) -> out.writeString(ReferenceRecord.letters(random, 12)),
        (value, schema) -> {
          try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(SALT.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest.digest(value.toString().getBytes(UTF_8)));
          } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
          }
        });
  }

  private static ReferenceRecord masks() {
    var rules = SchemaMapping.builder();
    names().forEach(name -> rules.mask(name, "****"));
    return mapped(
        "mask",
        STRING,
        rules,
        (random, out) -> out.writeString(ReferenceRecord.letters(random, 12)),
        (value, schema) -> "****");
  }

  private static ReferenceRecord excluded() {
    var rules = SchemaMapping.builder();
    names().forEach(rules::exclude);
    return mapped(
        "exclude",
        STRING,
        rules,
        (random, out) -> out.writeString(ReferenceRecord.letters(random, 12)),
        (value, schema) -> value);
  }

  /** Changes of Debezium: updates with both images. */
  private static ReferenceRecord changes() {
    Schema row = record("Value", STRING);
    Schema image = Schema.createUnion(Schema.create(Schema.Type.NULL), row);
    Schema source =
        Schema.createRecord(
            "Source",
            null,
            NAMESPACE,
            false,
            List.of(new Schema.Field("db", STRING), new Schema.Field("lsn", LONG)));
    Schema envelope =
        Schema.createRecord(
            "Envelope",
            null,
            NAMESPACE,
            false,
            List.of(
                new Schema.Field("before", image),
                new Schema.Field("after", image),
                new Schema.Field("source", source),
                new Schema.Field("op", STRING),
                new Schema.Field("ts_ms", LONG)));
    Generator value = (random, out) -> out.writeString(ReferenceRecord.letters(random, 12));
    SchemaMapping mapping = SchemaMapping.builder().unwrap().build();
    Schema table = mapping.schema(envelope);
    return new ReferenceRecord(
        "Map-unwrap",
        envelope,
        table,
        Optional.of(new ReferenceRecord.Mapped(mapping, change -> unwrapped(change, table))),
        (random, out) -> {
          for (int images = 0; images < 2; images++) {
            out.writeIndex(1);
            write(random, out, value);
          }
          out.writeString("shop");
          out.writeLong(random.nextLong(1L << 40));
          out.writeString("u");
          out.writeLong(1_790_000_000_000L);
        });
  }

  private static Object unwrapped(IndexedRecord change, Schema table) {
    var row = new GenericData.Record(table);
    var after = (GenericData.Record) change.get(change.getSchema().getField("after").pos());
    var source = (GenericData.Record) change.get(change.getSchema().getField("source").pos());
    for (Schema.Field field : table.getFields()) {
      String name = field.name();
      Object value =
          name.startsWith("cdc_source_")
              ? source.get(name.substring("cdc_source_".length()))
              : name.startsWith("cdc_")
                  ? change.get(change.getSchema().getField(name.substring("cdc_".length())).pos())
                  : after.get(name);
      row.put(field.pos(), value);
    }
    return row;
  }

  /** Returns the names of the fields that are converted. */
  private static List<String> names() {
    var names = new ArrayList<String>();
    for (int i = 0; i < PAIRS; i++) {
      names.add("value" + i);
    }
    return names;
  }

  private static Schema record(String name, Schema converted) {
    var fields = new ArrayList<Schema.Field>();
    for (String each : names()) {
      fields.add(new Schema.Field("plain" + fields.size(), fields.size() % 4 == 0 ? STRING : LONG));
      fields.add(new Schema.Field(each, converted));
    }
    return Schema.createRecord(name, null, NAMESPACE, false, fields);
  }

  private static void write(SplittableRandom random, Encoder out, Generator value)
      throws IOException {
    for (int i = 0; i < PAIRS; i++) {
      if (i % 2 == 0) {
        out.writeString(ReferenceRecord.letters(random, random.nextInt(4, 16)));
      } else {
        out.writeLong(random.nextLong(1L << 40));
      }
      value.write(random, out);
    }
  }

  private static ReferenceRecord mapped(
      String name,
      Schema converted,
      SchemaMapping.Builder rules,
      Generator value,
      BiFunction<Object, Schema, Object> byHand) {
    Schema writer = record("Mapped", converted);
    SchemaMapping mapping = rules.build();
    Schema table = mapping.schema(writer);
    return new ReferenceRecord(
        "Map-" + name,
        writer,
        table,
        Optional.of(
            new ReferenceRecord.Mapped(mapping, record -> converted(record, table, byHand))),
        (random, out) -> write(random, out, value));
  }

  private static Object converted(
      IndexedRecord from, Schema table, BiFunction<Object, Schema, Object> byHand) {
    var row = new GenericData.Record(table);
    for (Schema.Field field : table.getFields()) {
      Object value = from.get(from.getSchema().getField(field.name()).pos());
      row.put(
          field.pos(),
          field.name().startsWith("value") ? byHand.apply(value, field.schema()) : value);
    }
    return row;
  }
}
