package io.tidemark.benchmarks.landing;

import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/**
 * Stock quotes for a topic: one or more schemas, each with some datums. Every datum begins with the
 * symbol, of less than 64 letters, and the event time.
 *
 * @param versions the schemas, each with the same number of datums
 */
record Quotes(List<Version> versions) {
  /** Milliseconds since 1970: 2026-11-20T14:30Z. */
  static final long OPENING_MS = 1_795_185_000_000L;

  /** The number of tables to which records are routed. */
  static final int ROUTES = 20;

  /** The field that selects a record's table; its values are {@link #routeOf}. */
  static final String ROUTE_FIELD = "f1";

  private static final int DATUM_BYTES = 8 << 20;
  private static final long SEED = 20_261_125;
  private static final int MOST_TEXTS = 74;

  /** The bytes of a sized quote without its texts. */
  private static final int NUMBERS_BYTES = 27;

  Quotes {
    versions = List.copyOf(versions);
  }

  /** A schema with some datums. */
  record Version(Schema schema, List<byte[]> datums) {}

  static Quotes of(Workload workload) throws IOException {
    if (workload.recordBytes() > 0) {
      return new Quotes(List.of(sized(workload.recordBytes())));
    }
    ReferenceRecord quote = ReferenceRecord.named("StockQuote-78");
    Schema schema = quote.writerSchema();
    List<byte[]> datums = List.of(quote.datums(DATUM_BYTES));
    var plain = new Version(schema, datums);
    return new Quotes(
        switch (workload.kind()) {
          case PLAIN -> List.of(plain);
          case ROLLING -> {
            Schema newer = newer(schema);
            yield List.of(plain, new Version(newer, rewritten(datums, schema, newer)));
          }
          case RECORD_TYPES ->
              IntStream.range(0, ROUTES)
                  .mapToObj(route -> new Version(inNamespace(schema, typeNamespace(route)), datums))
                  .toList();
          case FIELD_VALUES -> List.of(new Version(schema, withRoutes(datums, schema)));
        });
  }

  /**
   * Returns the name of a route: the field's value, and the end of the table's name. Example:
   * {@code way07}.
   */
  static String routeOf(int route) {
    return "way%02d".formatted(route);
  }

  /** Returns the full name of a route's records. */
  static String typeOf(int route) {
    return typeNamespace(route) + ".StockQuote";
  }

  private static String typeNamespace(int route) {
    return "io.tidemark.benchmarks." + routeOf(route);
  }

  /** Returns the schema with an additional field in the middle, which has a default. */
  private static Schema newer(Schema schema) {
    List<Schema.Field> fields = fields(schema);
    Schema text = Schema.create(Schema.Type.STRING);
    fields.add(fields.size() / 2, new Schema.Field("venue", text, null, "XNAS"));
    return Schema.createRecord(
        schema.getName(), null, schema.getNamespace(), false, List.copyOf(fields));
  }

  /** Returns the schema with another full name. */
  private static Schema inNamespace(Schema schema, String namespace) {
    return Schema.createRecord(schema.getName(), null, namespace, false, fields(schema));
  }

  private static List<Schema.Field> fields(Schema schema) {
    var fields = new ArrayList<Schema.Field>();
    schema.getFields().forEach(field -> fields.add(new Schema.Field(field, field.schema())));
    return fields;
  }

  private static List<byte[]> rewritten(List<byte[]> datums, Schema from, Schema to)
      throws IOException {
    var rewritten = new ArrayList<byte[]>();
    for (byte[] datum : datums) {
      rewritten.add(encoded(decoded(datum, from, to), to));
    }
    return rewritten;
  }

  private static List<byte[]> withRoutes(List<byte[]> datums, Schema schema) throws IOException {
    var routed = new ArrayList<byte[]>();
    for (byte[] datum : datums) {
      GenericRecord quote = decoded(datum, schema, schema);
      quote.put(ROUTE_FIELD, routeOf(routed.size() % ROUTES));
      routed.add(encoded(quote, schema));
    }
    return routed;
  }

  private static GenericRecord decoded(byte[] datum, Schema from, Schema to) throws IOException {
    return new GenericDatumReader<GenericRecord>(from, to)
        .read(null, DecoderFactory.get().binaryDecoder(datum, null));
  }

  private static byte[] encoded(GenericRecord quote, Schema schema) throws IOException {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(quote, encoder);
    return out.toByteArray();
  }

  /**
   * Returns quotes of approximately a size: symbol, time, price and volume, then up to 74 texts of
   * 7 or, if necessary, more letters. So below 600 bytes larger records have more fields, and above
   * they have longer ones. The texts are repeated words, as in the stock quotes, but differ from
   * quote to quote.
   */
  private static Version sized(int bytes) throws IOException {
    int texts = Math.max(1, Math.min(MOST_TEXTS, (bytes - NUMBERS_BYTES) / 8));
    int length = Math.max(1, (bytes - NUMBERS_BYTES) / texts - 1);
    var builder =
        SchemaBuilder.record("SizedQuote")
            .namespace("io.tidemark.benchmarks")
            .fields()
            .requiredString("symbol")
            .requiredLong("timestamp")
            .requiredDouble("price")
            .requiredLong("volume");
    for (int i = 1; i <= texts; i++) {
      builder = builder.requiredString("f" + i);
    }
    Schema schema = builder.endRecord();
    var random = new SplittableRandom(SEED);
    var datums = new ArrayList<byte[]>();
    for (long made = 0; made < DATUM_BYTES; made += bytes) {
      datums.add(sized(random, texts, length));
    }
    return new Version(schema, datums);
  }

  private static byte[] sized(SplittableRandom random, int texts, int length) throws IOException {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    encoder.writeString("S%03d".formatted(random.nextInt(1_000)));
    encoder.writeLong(OPENING_MS);
    encoder.writeDouble(random.nextInt(500, 100_000) / 100.0);
    encoder.writeLong(random.nextLong(1 << 20, 1 << 27));
    for (int i = 0; i < texts; i++) {
      var text = new StringBuilder();
      while (text.length() < length) {
        text.append("value").append(random.nextInt(100, 1_000)).append(' ');
      }
      encoder.writeString(text.substring(0, length));
    }
    encoder.flush();
    return out.toByteArray();
  }

  /** Returns the length of a datum of the first schema. */
  int datumBytes() {
    return versions.get(0).datums().get(0).length;
  }
}
