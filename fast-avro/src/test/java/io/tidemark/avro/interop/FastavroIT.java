package io.tidemark.avro.interop;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.file.BlockCodec;
import io.tidemark.avro.file.ParallelFileWriter;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.TableDatum;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files of fast-avro, read by fastavro, another implementation of the format: it must find the same
 * records in the same order.
 *
 * <p>Run by {@code mvn verify -Preaders}, with the first {@code python3} on the PATH.
 */
@Tag("readers")
final class FastavroIT {
  private static final int RECORDS = 2_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path directory;

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({
    "stock-quote, null",
    "stock-quote, deflate",
    "stock-quote, snappy",
    "stock-quote, zstandard",
    "stock-quote, bzip2",
    "stock-quote, xz",
    "all-types, null",
    "all-types, deflate",
    "all-types, snappy",
    "all-types, zstandard",
    "all-types, bzip2",
    "all-types, xz"
  })
  void fastavroReadsTheSameRecordsInTheSameOrder(String name, String codec) throws Exception {
    Schema schema = schema(name);
    var avro = new RandomAvro(RECORDS);
    Path file = directory.resolve(name + '.' + codec + ".avro");
    var written = new ArrayList<String>();
    try (var writer =
        ParallelFileWriter.builder(schema)
            .codec(BlockCodec.of(codec))
            .metadata("tidemark.test", "interop")
            .blockSizeBytes(16_384)
            .serialBelowBytes(0)
            .create(file)) {
      var interpreter = new PlanInterpreter(Planner.plan(schema, schema, List.of()));
      var result = new TableDatum();
      for (int i = 0; i < RECORDS; i++) {
        Object datum = avro.datum(schema);
        byte[] encoded = AvroLibrary.encode(schema, datum, i % 2 == 0);
        interpreter.run(encoded, 0, encoded.length, result);
        writer.append(result.bytes(), result.offset(), result.length());
        written.add(line(datum));
      }
      writer.finish();
    }

    assertThat(rowsByFastavro(file)).isEqualTo(written);
  }

  private static Schema schema(String name) throws IOException {
    Path file =
        name.equals("stock-quote")
            ? Path.of("..", "config", "stock-quote.avsc")
            : Path.of("src", "test", "resources", name + ".avsc");
    return new Schema.Parser().parse(file.toFile());
  }

  private List<String> rowsByFastavro(Path file) throws IOException, InterruptedException {
    Path rows = directory.resolve("rows");
    Path errors = directory.resolve("errors");
    Process python =
        new ProcessBuilder("python3", "src/test/python/print_rows.py", file.toString())
            .redirectOutput(rows.toFile())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(python.waitFor(60, SECONDS)).as("fastavro ends within a minute").isTrue();
    } finally {
      python.destroyForcibly();
    }
    assertThat(python.exitValue()).as(Files.readString(errors)).isZero();
    var lines = new ArrayList<String>();
    for (String row : Files.readAllLines(rows)) {
      lines.add(JSON.writeValueAsString(JSON.readTree(row)));
    }
    return lines;
  }

  private static String line(@Nullable Object datum) throws JsonProcessingException {
    return JSON.writeValueAsString(plain(datum));
  }

  /** A value as the script prints it. */
  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof GenericRecord record) {
      var fields = new LinkedHashMap<String, @Nullable Object>();
      for (Schema.Field field : record.getSchema().getFields()) {
        fields.put(field.name(), plain(record.get(field.pos())));
      }
      return fields;
    }
    if (value instanceof List<?> items) {
      var plain = new ArrayList<@Nullable Object>();
      items.forEach(item -> plain.add(plain(item)));
      return plain;
    }
    if (value instanceof Map<?, ?> entries) {
      var plain = new LinkedHashMap<String, @Nullable Object>();
      entries.forEach((key, entry) -> plain.put(key.toString(), plain(entry)));
      return plain;
    }
    if (value instanceof ByteBuffer buffer) {
      var bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof GenericFixed fixed) {
      return HexFormat.of().formatHex(fixed.bytes());
    }
    if (value instanceof Float || value instanceof Double) {
      return HexFormat.of().toHexDigits(Double.doubleToLongBits(((Number) value).doubleValue()));
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? value
        : value.toString();
  }
}
