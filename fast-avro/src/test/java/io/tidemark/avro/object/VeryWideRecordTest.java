package io.tidemark.avro.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.codegen.CompilerOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DatumWriter;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/**
 * Records of thousands of fields: a method of a class has at most 65,535 bytes of code, so the code
 * of a record, and of its constants, is in many methods.
 */
final class VeryWideRecordTest {
  private static final int FIELDS = 6_000;

  @Test
  void enums() throws IOException {
    assertLikeAvros(i -> SchemaBuilder.enumeration("E" + i).symbols("A", "B"));
  }

  @Test
  void nullableFixed() throws IOException {
    assertLikeAvros(i -> Schema.createUnion(nothing(), SchemaBuilder.fixed("F" + i).size(i % 7)));
  }

  @Test
  void arraysAndMaps() throws IOException {
    assertLikeAvros(
        i ->
            i % 2 == 0
                ? Schema.createArray(Schema.create(Schema.Type.STRING))
                : Schema.createMap(Schema.createArray(Schema.create(Schema.Type.INT))));
  }

  @Test
  void logicalTypes() throws IOException {
    assertLikeAvros(
        i -> LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG)));
  }

  @Test
  void nestedRecords() throws IOException {
    assertLikeAvros(
        FIELDS / 4, // The constant pool of a class has at most 65,535 entries.
        i -> SchemaBuilder.record("R" + i).fields().requiredInt("a").optionalLong("b").endRecord());
  }

  private static Schema nothing() {
    return Schema.create(Schema.Type.NULL);
  }

  private static void assertLikeAvros(IntFunction<Schema> type) throws IOException {
    assertLikeAvros(FIELDS, type);
  }

  private static void assertLikeAvros(int count, IntFunction<Schema> type) throws IOException {
    List<Schema.Field> fields =
        IntStream.range(0, count).mapToObj(i -> new Schema.Field("f" + i, type.apply(i))).toList();
    Schema schema = Schema.createRecord("Wide", null, "test", false, fields);
    byte[] datum = AvroLibrary.encode(schema, new RandomAvro(1).datum(schema));
    var data = new GenericData();
    data.addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
    var classes = new CompiledDatums(Runnable::run, 2, CompilerOptions.NONE);
    var reader = new FastDatumReader<Object>(schema, schema, data, classes);
    reader.compileNow();
    var writer = new FastDatumWriter<Object>(schema, data, classes);
    writer.compileNow();

    Object read = reader.read(null, datum, 0, datum.length);
    Object avros =
        new GenericDatumReader<Object>(schema, schema, data)
            .read(null, DecoderFactory.get().binaryDecoder(datum, null));
    assertThat(read.equals(avros)).isTrue();
    assertThat(reader.read(read, datum, 0, datum.length).equals(avros)).isTrue();
    assertThat(written(writer, read))
        .isEqualTo(written(new GenericDatumWriter<>(schema, data), avros));
  }

  private static byte[] written(DatumWriter<Object> writer, Object object) throws IOException {
    var out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    writer.write(object, encoder);
    encoder.flush();
    return out.toByteArray();
  }
}
