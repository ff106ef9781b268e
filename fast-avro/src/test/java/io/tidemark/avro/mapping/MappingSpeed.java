package io.tidemark.avro.mapping;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Compares the speed of each conversion with Avro's classes: decode, convert the objects, encode.
 * Prints the ratio of the processor's times, the median of passes that alternate. Not a test.
 */
public final class MappingSpeed {
  private static final int DATUMS = 2_000;
  private static final int PASSES = 41;

  private static final String RECORD =
      """
      {"type": "record", "name": "Quote", "fields": [
        {"name": "symbol", "type": "string"}, {"name": "venue", "type": "string"},
        {"name": "bid", "type": "double"}, {"name": "ask", "type": "double"},
        {"name": "size", "type": "long"}, {"name": "sequence", "type": "long"},
        {"name": "note", "type": ["null", "string"]}, {"name": "flags", "type": "int"},
        {"name": "mapped", "type": %s}]}""";

  private MappingSpeed() {}

  public static void main(String[] args) throws Exception {
    Map<String, String> types = new LinkedHashMap<>();
    types.put("timestamp-micros", "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}");
    types.put("timestamp-millis", "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}");
    types.put("time-millis", "{\"type\":\"int\",\"logicalType\":\"time-millis\"}");
    types.put(
        "enum", "{\"type\":\"enum\",\"name\":\"Side\",\"symbols\":[\"BUY\",\"SELL\",\"SHORT\"]}");
    types.put("uuid", "{\"type\":\"fixed\",\"name\":\"Id\",\"size\":16,\"logicalType\":\"uuid\"}");
    types.put(
        "decimal", "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":20,\"scale\":2}");
    types.put(
        "decimal ",
        "{\"type\":\"fixed\",\"name\":\"D\",\"size\":12,\"logicalType\":\"decimal\",\"precision\":20,\"scale\":2}");
    types.put("union", "[\"null\",\"int\",\"string\",\"double\"]");
    Map<String, String> targets =
        Map.of(
            "timestamp-micros", "timestamp-millis",
            "timestamp-millis", "timestamp-micros",
            "time-millis", "time-micros",
            "enum", "string",
            "uuid", "string",
            "decimal", "fixed",
            "decimal ", "bytes",
            "union", "record");
    for (Map.Entry<String, String> type : types.entrySet()) {
      String to = Objects.requireNonNull(targets.get(type.getKey()));
      SchemaMapping mapping =
          SchemaMapping.builder().type(type.getKey().strip(), to).truncate().build();
      print(type.getKey() + " to " + to, type.getValue(), mapping);
    }
    print("exclude", "\"string\"", SchemaMapping.builder().exclude("mapped").build());
    print("mask", "\"string\"", SchemaMapping.builder().mask("mapped", "****").build());
    print("hash", "\"string\"", SchemaMapping.builder().hash("mapped", "pepper").build());
  }

  private static void print(String name, String type, SchemaMapping mapping) throws Exception {
    Schema writer = new Schema.Parser().parse(RECORD.formatted(type));
    Schema mapped = mapping.schema(writer);
    byte[][] datums = datums(writer);
    var plans = new CompiledPlans(Runnable::run, 1, CompilerOptions.NONE);
    BatchRunner runner = plans.runner(mapping.plan(writer, mapped, List.of()));
    double[] ratios = new double[PASSES];
    var results = new TableDatums(1 << 20);
    for (int pass = -60; pass < PASSES; pass++) {
      long begun = processorNanos();
      avro(writer, mapped, datums);
      long between = processorNanos();
      ours(runner, datums, results);
      long end = processorNanos();
      if (pass >= 0) {
        ratios[pass] = (double) (between - begun) / (end - between);
      }
    }
    java.util.Arrays.sort(ratios);
    System.out.printf("%-40s %5.1f%n", name, ratios[PASSES / 2]);
  }

  /** Returns the time of this thread on the processor, which other programs do not lengthen. */
  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static void ours(BatchRunner runner, byte[][] datums, TableDatums results)
      throws Exception {
    var source = new SourceDatums();
    for (int from = 0; from < datums.length; from += 64) {
      int count = Math.min(64, datums.length - from);
      for (int i = 0; i < count; i++) {
        source.add(datums[from + i], 0, datums[from + i].length);
      }
      runner.run(source, 0, count, results);
      results.clear();
      source.clear();
    }
  }

  private static void avro(Schema writer, Schema mapped, byte[][] datums) throws Exception {
    var reader = new GenericDatumReader<GenericRecord>(writer);
    var out = new GenericDatumWriter<GenericRecord>(mapped);
    var bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    @Nullable BinaryDecoder decoder = null;
    var objects = new MappedObjects(true);
    Schema.Field from = writer.getField("mapped");
    Schema.Field to = mapped.getField("mapped");
    for (byte[] datum : datums) {
      decoder = DecoderFactory.get().binaryDecoder(datum, decoder);
      GenericRecord record = reader.read(null, decoder);
      var made = new GenericData.Record(mapped);
      for (int i = 0; i < mapped.getFields().size() && i < from.pos(); i++) {
        made.put(i, record.get(i));
      }
      if (to != null) {
        Object value = record.get(from.pos());
        made.put(
            to.pos(),
            to.schema().getProp(SchemaMapping.REPLACED) == null
                ? objects.convert(value, from.schema(), to.schema())
                : to.schema().getProp(SchemaMapping.REPLACED).equals("mask")
                    ? "****"
                    : hash(String.valueOf(value)));
      }
      out.write(made, encoder);
    }
    encoder.flush();
  }

  private static String hash(String value) throws Exception {
    var digest = java.security.MessageDigest.getInstance("SHA-256");
    return java.util.HexFormat.of()
        .formatHex(
            digest.digest(("pepper" + value).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  private static byte[][] datums(Schema writer) {
    var random = new Random(1);
    byte[][] datums = new byte[DATUMS][];
    for (int i = 0; i < DATUMS; i++) {
      var record = new GenericData.Record(writer);
      record.put("symbol", "ACME" + i % 50);
      record.put("venue", "XETR");
      record.put("bid", random.nextDouble());
      record.put("ask", random.nextDouble());
      record.put("size", (long) random.nextInt(1000));
      record.put("sequence", random.nextLong());
      record.put("note", i % 3 == 0 ? "a note of some length" : null);
      record.put("flags", random.nextInt(8));
      record.put("mapped", value(writer.getField("mapped").schema(), random));
      datums[i] = AvroLibrary.encode(writer, record);
    }
    return datums;
  }

  private static @Nullable Object value(Schema schema, Random random) {
    var bytes = new byte[schema.getType() == Schema.Type.FIXED ? schema.getFixedSize() : 8];
    return switch (schema.getType()) {
      case INT -> random.nextInt(86_400_000);
      case LONG -> 1_700_000_000_000L + random.nextInt();
      case ENUM ->
          new GenericData.EnumSymbol(schema, schema.getEnumSymbols().get(random.nextInt(3)));
      case BYTES -> {
        random.nextBytes(bytes);
        yield ByteBuffer.wrap(bytes);
      }
      case FIXED -> {
        for (int i = bytes.length == 12 ? 6 : 0; i < bytes.length; i++) {
          bytes[i] = (byte) random.nextInt(127);
        }
        yield new GenericData.Fixed(schema, bytes);
      }
      case UNION -> List.<Object>of(7, "text", 1.5).get(random.nextInt(3));
      default -> "078-05-" + random.nextInt(10_000);
    };
  }
}
