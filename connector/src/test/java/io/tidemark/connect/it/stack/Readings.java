package io.tidemark.connect.it.stack;

import io.tidemark.connect.it.landed.RowKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** The rows that the tests produce. All values of a row follow from its key. */
public final class Readings {

  /** The time of the readings with number 0, ninety seconds before midnight in UTC. */
  public static final Instant START = Instant.parse("2026-11-20T23:58:30Z");

  private static final Schema MILLIS =
      new Schema.Parser().parse("{\"type\": \"long\", \"logicalType\": \"timestamp-millis\"}");

  /** The first version of the schema. */
  public static final Schema V1 = fields("Reading").endRecord();

  /** The second version, with two more fields: a nullable one and one with a default. */
  public static final Schema V2 =
      fields("Reading")
          .optionalString("unit")
          .name("quality")
          .type()
          .intType()
          .intDefault(7)
          .endRecord();

  /** A schema with the time inside of a nested record, as text. */
  public static final Schema NESTED =
      fields("Visit")
          .name("stop")
          .type()
          .record("Stop")
          .fields()
          .requiredString("at")
          .endRecord()
          .noDefault()
          .endRecord();

  /** Little more than the key, for a large number of records. */
  public static final Schema SMALL =
      SchemaBuilder.record("Small")
          .namespace("io.tidemark.it")
          .fields()
          .requiredInt("source")
          .requiredLong("seq")
          .endRecord();

  private static final String NOTE = "a note that gives the record some width ".repeat(3);

  private Readings() {}

  private static SchemaBuilder.FieldAssembler<Schema> fields(String name) {
    return SchemaBuilder.record(name)
        .namespace("io.tidemark.it")
        .fields()
        .requiredInt("source")
        .requiredLong("seq")
        .name("taken")
        .type(MILLIS)
        .noDefault()
        .optionalDouble("celsius")
        .requiredString("note");
  }

  /** The time of the reading with a number: each is 20 ms after the previous one. */
  public static Instant taken(long seq) {
    return START.plusMillis(20 * seq);
  }

  /** The reading with a key, in the schema given. */
  public static GenericRecord reading(Schema schema, RowKey key) {
    GenericRecord row = new GenericData.Record(schema);
    row.put("source", key.source());
    row.put("seq", key.seq());
    if (schema.equals(SMALL)) {
      return row;
    }
    row.put("taken", taken(key.seq()).toEpochMilli());
    row.put("celsius", celsius(key));
    row.put("note", note(key));
    if (schema.getField("unit") != null) {
      row.put("unit", "C" + key.seq() % 10);
      row.put("quality", (int) (key.seq() % 100));
    }
    if (schema.getField("stop") != null) {
      GenericRecord stop = new GenericData.Record(schema.getField("stop").schema());
      stop.put("at", taken(key.seq()).toString());
      row.put("stop", stop);
    }
    return row;
  }

  /** The {@code celsius} of a row: null in each third row. */
  public static @Nullable Double celsius(RowKey key) {
    return key.seq() % 3 == 0 ? null : key.source() + key.seq() / 8.0;
  }

  public static String note(RowKey key) {
    return NOTE + key;
  }

  /** A datum with Confluent's prefix, which contains the schema id. */
  public static byte[] framed(int schemaId, GenericRecord row) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    bytes.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array());
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    try {
      new GenericDatumWriter<GenericRecord>(row.getSchema()).write(row, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }
}
