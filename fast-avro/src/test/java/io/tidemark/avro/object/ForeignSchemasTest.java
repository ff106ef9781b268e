package io.tidemark.avro.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.TableDatum;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Schemas of other projects, which src/test/foreign/run fetches: generated code reads and writes
 * random data of each as Avro's own classes do, and a plan accepts them and copies their bytes.
 */
@EnabledIfSystemProperty(named = ForeignSchemasTest.DIRECTORY, matches = ".+")
final class ForeignSchemasTest {
  static final String DIRECTORY = "io.tidemark.avro.foreign";

  private static final int DATUMS = 5;

  @Test
  void schemasOfOtherProjectsAreReadWrittenAndCheckedAsByAvro() throws IOException {
    int schemas = 0;
    var failures = new TreeMap<String, String>();
    int unparsed = 0;
    int endless = 0;
    for (Path file : files()) {
      Optional<Schema> schema = parse(file);
      if (schema.isPresent()) {
        try {
          List<@Nullable Object> data = data(schema.get(), file.hashCode());
          check(schema.get(), data);
          schemas += data.isEmpty() ? 0 : 1;
          endless += data.isEmpty() ? 1 : 0;
        } catch (IOException | RuntimeException | AssertionError e) {
          failures.put(file.toString(), e.toString());
        }
      } else {
        unparsed++;
      }
    }
    System.out.printf(
        "%d schemas; Avro cannot parse %d other files alone; %d have no random data%n",
        schemas, unparsed, endless);
    assertThat(failures).isEmpty();
    assertThat(schemas).isGreaterThan(300);
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(System.getProperty(DIRECTORY)))) {
      return files.filter(file -> file.toString().endsWith(".avsc")).sorted().toList();
    }
  }

  /** Returns the schema, or nothing: some files name types of others, or are invalid on purpose. */
  private static Optional<Schema> parse(Path file) {
    try {
      return Optional.of(new Schema.Parser().parse(Files.readString(file)));
    } catch (RuntimeException e) { // Also of other classes, for a type that is in another file.
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns random data, or nothing: the data of some recursive records never end. */
  private static List<@Nullable Object> data(Schema schema, long seed) {
    var avro = new RandomAvro(seed);
    List<@Nullable Object> data = new ArrayList<>();
    try {
      for (int i = 0; i < DATUMS; i++) {
        data.add(avro.datum(schema));
      }
    } catch (StackOverflowError | IllegalArgumentException e) { // The latter: enums of no symbol.
      return List.of();
    }
    return data;
  }

  private static void check(Schema schema, List<@Nullable Object> objects) throws IOException {
    var plan = new PlanInterpreter(Planner.plan(schema, schema, List.of()));
    // Avro's fast reader fails on strings with java-class.
    for (boolean fast : List.of(!schema.toString().contains("java-class"), false)) {
      var data = new GenericData();
      data.setFastReaderEnabled(fast);
      var reader = new FastDatumReader<Object>(schema, schema, data, classes());
      reader.compileNow();
      var writer = new FastDatumWriter<Object>(schema, data, classes());
      writer.compileNow();
      var avros = new GenericDatumReader<Object>(schema, schema, data);
      var random = new Random(objects.size());
      for (@Nullable Object original : objects) {
        byte[] datum = AvroLibrary.encode(schema, original, random.nextBoolean());
        Object expected = avros.read(null, DecoderFactory.get().binaryDecoder(datum, null));
        Object object = reader.read(null, datum, 0, datum.length);
        assertThat(ValueClasses.of(object) + " " + object)
            .isEqualTo(ValueClasses.of(expected) + " " + expected);
        assertThat(written(writer, object))
            .isEqualTo(written(new GenericDatumWriter<>(schema, data), object));
        assertThat(checked(plan, datum)).isEqualTo(datum);
      }
    }
  }

  private static byte[] checked(PlanInterpreter plan, byte[] datum) {
    var result = new TableDatum();
    try {
      plan.run(datum, 0, datum.length, result);
    } catch (Exception e) {
      throw new AssertionError("the plan rejects what Avro wrote", e);
    }
    return Arrays.copyOfRange(result.bytes(), result.offset(), result.offset() + result.length());
  }

  private static byte[] written(DatumWriter<Object> writer, Object object) throws IOException {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    writer.write(object, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static CompiledDatums classes() {
    return new CompiledDatums(Runnable::run, 1, new CompilerOptions(true, Optional.empty()));
  }
}
