package io.tidemark.avro.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.DamagedDatum;
import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.binary.MalformedDatumException;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.plan.IncompatibleSchemasException;
import io.tidemark.avro.plan.PlanInterpreter;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.TableDatum;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.DatumReader;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Compares compiled readers and writers with Avro's own and with plans, over random schemas and
 * data. Each case follows from its seed.
 */
final class CompiledDatumPropertyTest {

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void datumIsReadThreeWaysAsOneObject(@ForAll long seed) throws IOException {
    var avro = RandomAvro.withStrings(seed);
    Schema writer = schema(avro, seed);
    Schema reader = EvolvedSchema.of(writer, avro.random());
    GenericData data = data(1);
    FastDatumReader<Object> compiled = reader(writer, reader, data);
    Optional<PlanInterpreter> plan = plan(writer, reader);

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());
      Object object = compiled.read(null, datum, 0, datum.length);

      assertSame(outcome(compiled, null, datum), outcome(avros(compiled), null, datum));
      if (plan.isPresent()) {
        assertThat(rewritten(plan.get(), datum, reader)).isEqualTo(object);
      }
    }
  }

  /** Compares classes from disk, classes generated in the process, and Avro's own code. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void classesFromDiskReadAndWriteAsTheOthersDo(@ForAll long seed) throws IOException {
    var avro = RandomAvro.withStrings(seed);
    Schema writer = schema(avro, seed);
    Schema reader = EvolvedSchema.daring(writer, avro.random());
    GenericData data = data(seed);
    FastDatumReader<Object> compiled = reader(writer, reader, data);
    var fromDisk =
        new FastDatumReader<Object>(writer, reader, data, afterAnother(writer, reader, data));
    fromDisk.compileNow();
    var writerFromDisk = new FastDatumWriter<Object>(reader, data, afterAnother(reader, data));
    writerFromDisk.compileNow();

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());
      Outcome read = outcome(fromDisk, null, datum);

      assertThat(read).isEqualTo(outcome(compiled, null, datum));
      assertSame(read, outcome(avros(compiled), null, datum));
      if (read.isObject()) {
        assertThat(written(writerFromDisk, read.object()))
            .isEqualTo(written(writer(reader, data), read.object()))
            .isEqualTo(written(new GenericDatumWriter<>(reader, data), read.object()));
      }
    }
  }

  private static CompiledDatums afterAnother(Schema writer, Schema reader, GenericData data)
      throws IOException {
    new FastDatumReader<Object>(writer, reader, data, classesOnDisk()).compileNow();
    return classesOnDisk();
  }

  private static CompiledDatums afterAnother(Schema schema, GenericData data) throws IOException {
    new FastDatumWriter<Object>(schema, data, classesOnDisk()).compileNow();
    return classesOnDisk();
  }

  private static CompiledDatums classesOnDisk() throws IOException {
    Path directory = Files.createDirectories(Path.of("target", "classes-of-objects"));
    return new CompiledDatums(
        Runnable::run, 1, new CompilerOptions(true, Optional.empty()).withCache(directory, 8));
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void datumThatAvroCannotReadIsRefusedInTheSameWords(@ForAll long seed) {
    var avro = RandomAvro.withStrings(seed);
    Schema writer = schema(avro, seed);
    Schema reader = EvolvedSchema.daring(writer, avro.random());
    FastDatumReader<Object> compiled = reader(writer, reader, data(seed));
    DatumReader<Object> avros = avros(compiled);

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());

      assertSame(outcome(compiled, null, datum), outcome(avros, null, datum));
    }
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void objectsThatAreReusedBecomeThoseThatAvroMakes(@ForAll long seed) {
    var avro = RandomAvro.withStrings(seed);
    Schema writer = schema(avro, seed);
    Schema reader = EvolvedSchema.of(writer, avro.random());
    FastDatumReader<Object> compiled = reader(writer, reader, data(seed));
    DatumReader<Object> avros = avros(compiled);
    var ours = new Outcome("", null);
    var theirs = new Outcome("", null);

    for (int i = 0; i < 10; i++) {
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer));
      ours = outcome(compiled, ours.object(), datum);
      theirs = outcome(avros, theirs.object(), datum);

      assertSame(ours, theirs);
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void damagedDatumIsReadOrRefusedByBoth(@ForAll long seed) {
    var avro = RandomAvro.withStrings(seed);
    Schema writer = isWide(seed) ? avro.wideRecordSchema() : avro.recordSchema();
    FastDatumReader<Object> compiled = reader(writer, writer, data(seed));
    DatumReader<Object> avros = avros(compiled);
    byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());

    for (int i = 0; i < 10; i++) {
      byte[] damaged = DamagedDatum.of(datum, avro.random());
      Outcome ours = outcome(compiled, null, damaged);
      Outcome theirs = outcome(avros, null, damaged);

      if (ours.isObject() || theirs.isObject()) {
        assertSame(ours, theirs);
      }
    }
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void objectIsWrittenAsAvroWritesIt(@ForAll long seed) {
    var avro = RandomAvro.withStrings(seed);
    Schema schema = schema(avro, seed);
    GenericData data = data(seed);
    FastDatumWriter<Object> compiled = writer(schema, data);

    for (int i = 0; i < 5; i++) {
      byte[] datum = AvroLibrary.encode(schema, avro.datum(schema));
      Outcome read = outcome(avros(reader(schema, schema, data)), null, datum);
      if (read.isObject()) {
        assertThat(written(compiled, read.object()))
            .isEqualTo(written(new GenericDatumWriter<>(schema, data), read.object()));
      }
    }
  }

  @Property(tries = 500, shrinking = ShrinkingMode.OFF)
  void objectOfAnotherSchemaIsRefusedInTheSameWords(@ForAll long seed) {
    var avro = RandomAvro.withStrings(seed);
    Schema schema = avro.recordSchema();
    var another = RandomAvro.withStrings(seed + 1);
    Object other = another.datum(another.recordSchema());
    GenericData data = data(seed);

    assertThat(written(writer(schema, data), other))
        .isEqualTo(written(new GenericDatumWriter<>(schema, data), other));
  }

  /** One in seven cases is a wide record. */
  private static boolean isWide(long seed) {
    return seed % 7 == 0;
  }

  private static Schema schema(RandomAvro avro, long seed) {
    return isWide(seed) ? avro.wideRecordSchema() : avro.schema();
  }

  /**
   * Avro's own reader fails on some schemas that contain themselves: its parser finds no symbol.
   */
  private static void assertSame(Outcome ours, Outcome theirs) {
    if (!theirs.text().startsWith("refused java.lang.NullPointerException")) {
      assertThat(ours).isEqualTo(theirs);
    }
  }

  /** Every second case has conversions. Avro's fast reader is not used. */
  private static GenericData data(long seed) {
    var data = new GenericData();
    data.setFastReaderEnabled(false);
    if (seed % 2 == 0) {
      data.addLogicalTypeConversion(new Conversions.DecimalConversion());
      data.addLogicalTypeConversion(new Conversions.UUIDConversion());
      data.addLogicalTypeConversion(new TimeConversions.DateConversion());
      data.addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
    }
    return data;
  }

  private static CompiledDatums classes() {
    return new CompiledDatums(Runnable::run, 1, new CompilerOptions(true, Optional.empty()));
  }

  private static FastDatumReader<Object> reader(Schema writer, Schema reader, GenericData data) {
    var compiled = new FastDatumReader<Object>(writer, reader, data, classes());
    compiled.compileNow();
    return compiled;
  }

  private static FastDatumWriter<Object> writer(Schema schema, GenericData data) {
    var compiled = new FastDatumWriter<Object>(schema, data, classes());
    compiled.compileNow();
    return compiled;
  }

  private static DatumReader<Object> avros(FastDatumReader<Object> reader) {
    return new GenericDatumReader<>(reader.getSchema(), reader.getExpected(), reader.getData());
  }

  private static Decoder decoder(byte[] datum) {
    return DecoderFactory.get().binaryDecoder(datum, null);
  }

  private record Outcome(String text, @Nullable Object object) {
    boolean isObject() {
      return !text.startsWith("refused");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Outcome outcome && outcome.text.equals(text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  /** What is read, with the class of each value in it, or why not. */
  private static Outcome outcome(DatumReader<Object> reader, @Nullable Object reuse, byte[] datum) {
    try {
      Object object = reader.read(reuse, decoder(datum));
      return new Outcome(ValueClasses.of(object) + " " + object, object);
    } catch (IOException | RuntimeException e) {
      return new Outcome("refused " + e, null);
    }
  }

  private static Optional<PlanInterpreter> plan(Schema writer, Schema reader) {
    try {
      return Optional.of(new PlanInterpreter(Planner.plan(writer, reader, List.of())));
    } catch (IncompatibleSchemasException e) {
      return Optional.empty();
    }
  }

  /** The object that Avro reads from the datum that a plan makes. */
  private static @Nullable Object rewritten(PlanInterpreter plan, byte[] datum, Schema reader)
      throws IOException {
    var result = new TableDatum();
    try {
      plan.run(datum, 0, datum.length, result);
    } catch (MalformedDatumException e) {
      throw new AssertionError("the plan refuses what Avro wrote", e);
    }
    return AvroLibrary.decode(reader, reader, result.bytes(), result.offset(), result.length());
  }

  private static byte[] encode(GenericDatumWriter<Object> writer, @Nullable Object object) {
    var out = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().binaryEncoder(out, null);
    try {
      writer.write(object, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  private static String written(GenericDatumWriter<Object> writer, @Nullable Object object) {
    try {
      return Arrays.toString(encode(writer, object));
    } catch (RuntimeException e) {
      return "refused " + e;
    }
  }
}
