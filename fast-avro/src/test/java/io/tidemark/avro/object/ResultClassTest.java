package io.tidemark.avro.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.EvolvedSchema;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.codegen.CompilerOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The classes of the values are the same from the first read to the last: those of Avro's reader
 * with the same {@code GenericData}, whether it uses Avro's fast reader (the default) or not.
 */
final class ResultClassTest {
  /** More reads than the class of a reader needs to be generated. */
  private static final int READS = 40;

  @ParameterizedTest
  @ValueSource(strings = {"int", "long", "float", "double", "boolean", "string"})
  void arrayOfPrimitivesKeepsItsClass(String item) throws IOException {
    Schema schema = field("{'type':'array','items':'" + item + "'}");
    byte[] datum = {0};
    for (GenericData data : List.of(new GenericData(), withoutFastReader())) {
      Class<?> first = null;
      for (Object array : values(schema, datum, data)) {
        first = first == null ? array.getClass() : first;
        assertThat(array).isExactlyInstanceOf(first);
      }
    }
  }

  @Test
  void arrayOfTheDefaultReaderIsAGenericDataArray() throws IOException {
    Schema schema = field("{'type':'array','items':'int'}");
    for (Object array : values(schema, hex("020200"), new GenericData())) {
      assertThat(array).isExactlyInstanceOf(GenericData.Array.class).isEqualTo(List.of(1));
    }
  }

  @Test
  void stringWithAJavaClassKeepsItsClass() throws IOException {
    Schema schema =
        field("{'type':'string','java-class':'java.math.BigDecimal','avro.java.string':'String'}");
    for (Object value : values(schema, hex("06312e35"), new GenericData())) {
      assertThat(value).isEqualTo(new BigDecimal("1.5"));
    }
  }

  @Test
  void keyWithAJavaClassKeepsItsClass() throws IOException {
    Schema schema =
        field(
            "{'type':'map','values':'int','java-key-class':'java.math.BigDecimal',"
                + "'avro.java.string':'String'}");
    for (Object value : values(schema, hex("0206312e350400"), new GenericData())) {
      assertThat(value).isEqualTo(Map.of(new BigDecimal("1.5"), 2));
    }
  }

  /** The order depends on the size of the hash table: Avro's two readers make different ones. */
  @ParameterizedTest
  @CsvSource({"3,true", "5,true", "13,true", "100,true", "3,false", "5,false", "100,false"})
  void mapKeepsTheOrderOfItsEntries(int entries, boolean fast) throws IOException {
    Schema schema = field("{'type':'map','values':'int'}");
    GenericData data = fast ? new GenericData() : withoutFastReader();
    for (int salt = 0; salt < 20; salt++) {
      Map<String, Integer> map = new LinkedHashMap<>();
      for (int i = 0; i < entries; i++) {
        map.put("key" + (i * 7919 + salt * 31), i);
      }
      var record = new GenericData.Record(schema);
      record.put(0, map);
      byte[] datum = AvroLibrary.encode(schema, record);
      String avros = avros(schema, data, datum).get(0).toString();
      for (Object value : values(schema, datum, data)) {
        assertThat(value).hasToString(avros);
      }
    }
  }

  /** A nested value in a union is new in each read, as from Avro's fast reader. */
  @Test
  void valueInAUnionIsNotOverwrittenByAReusedRecord() throws IOException {
    Schema schema = field("['null',{'type':'map','values':'int'}]");
    var reader =
        new FastDatumReader<GenericRecord>(
            schema, schema, new GenericData(), new CompiledDatums(Runnable::run, 1, options()));
    GenericRecord record = null;
    List<Object> seen = new ArrayList<>();
    for (int i = 0; i < READS; i++) {
      byte[] datum = {2, 2, 2, 'a', (byte) (2 * i), 0};
      record = reader.read(record, datum, 0, datum.length);
      seen.add(record.get(0));
    }
    for (int i = 0; i < READS; i++) {
      assertThat(seen.get(i)).hasToString("{a=" + i + "}");
    }
  }

  /** Values of the default reader: of every type, with defaults, evolved. */
  @Test
  void randomDataHaveTheClassesOfAvrosDefaultReader() throws IOException {
    for (int seed = 0; seed < Integer.getInteger("io.tidemark.avro.class.seeds", 400); seed++) {
      var avro = RandomAvro.withStrings(seed);
      Schema writer = seed % 40 == 39 ? avro.wideRecordSchema() : avro.schema();
      Schema reader = EvolvedSchema.of(writer, avro.random());
      GenericData data = new GenericData();
      var compiled =
          new FastDatumReader<Object>(
              writer, reader, data, new CompiledDatums(Runnable::run, 1, options()));
      byte[] datum = AvroLibrary.encode(writer, avro.datum(writer), avro.random().nextBoolean());
      String avros =
          ValueClasses.of(
              new GenericDatumReader<>(writer, reader, data)
                  .read(null, DecoderFactory.get().binaryDecoder(datum, null)));
      for (int i = 0; i < 20; i++) {
        assertThat(ValueClasses.of(compiled.read(null, datum, 0, datum.length)))
            .as("seed %d, read %d: %s as %s", seed, i, writer, reader)
            .isEqualTo(avros);
      }
    }
  }

  private static List<Object> values(Schema schema, byte[] datum, GenericData data)
      throws IOException {
    var classes = new CompiledDatums(Runnable::run, 1, options());
    var reader = new FastDatumReader<GenericRecord>(schema, schema, data, classes);
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < READS; i++) {
      values.add(reader.read(null, datum, 0, datum.length).get(0));
    }
    return values;
  }

  private static List<Object> avros(Schema schema, GenericData data, byte[] datum)
      throws IOException {
    GenericRecord record =
        new GenericDatumReader<GenericRecord>(schema, schema, data)
            .read(null, DecoderFactory.get().binaryDecoder(datum, null));
    return List.of(record.get(0));
  }

  private static GenericData withoutFastReader() {
    var data = new GenericData();
    data.setFastReaderEnabled(false);
    return data;
  }

  private static CompilerOptions options() {
    return new CompilerOptions(true, java.util.Optional.empty());
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  private static Schema field(String type) {
    return new Schema.Parser()
        .parse(
            ("{'type':'record','name':'R','fields':[{'name':'f','type':" + type + "}]}")
                .replace('\'', '"'));
  }
}
