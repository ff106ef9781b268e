package io.tidemark.avro.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.ForeignSchemas;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.TableDatum;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
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
@EnabledIfSystemProperty(named = ForeignSchemas.DIRECTORY, matches = ".+")
final class ForeignSchemasTest {
  private static final int DATUMS = 5;

  @Test
  void schemasOfOtherProjectsAreReadWrittenAndCheckedAsByAvro() throws IOException {
    int schemas = 0;
    var failures = new TreeMap<String, String>();
    int unparsed = 0;
    int endless = 0;
    for (Path file : ForeignSchemas.files()) {
      Optional<Schema> schema = ForeignSchemas.parse(file);
      if (schema.isPresent()) {
        try {
          List<@Nullable Object> data =
              ForeignSchemas.data(schema.get(), new RandomAvro(file.hashCode()), DATUMS);
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
