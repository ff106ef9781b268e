package io.tidemark.avro.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.codegen.disk.DiskStatistics;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Conversions;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ObjectsOnDiskTest {
  @TempDir Path home;

  @Test
  void secondStartLoadsReadersAndWriters() throws Exception {
    Schema schema = quote("Quote", "size");
    GenericRecord quote = new GenericRecordBuilder(schema).set("size", 7).build();
    byte[] datum = AvroLibrary.encode(schema, quote);

    for (DiskStatistics expected : List.of(counts(0, 2, 0), counts(2, 0, 0), counts(2, 0, 0))) {
      CompiledDatums classes = classes();

      assertThat(reader(schema, new GenericData(), classes).read(null, datum, 0, 1))
          .isEqualTo(quote);
      assertThat(written(schema, quote, classes)).isEqualTo(datum);
      assertThat(classes.statistics().disk()).isEqualTo(expected);
      assertThat(classes.statistics().compiled()).isEqualTo(2);
    }
  }

  /** The code is equal. The schemas are constants, which are not in the file. */
  @Test
  void recordsOfOtherNamesShareTheCode() throws Exception {
    Schema quote = quote("Quote", "size");
    Schema trade = quote("Trade", "volume");
    GenericRecord record = new GenericRecordBuilder(trade).set("volume", 7).build();
    reader(quote, new GenericData(), classes());

    CompiledDatums classes = classes();
    Object read =
        reader(trade, new GenericData(), classes)
            .read(null, AvroLibrary.encode(trade, record), 0, 1);

    assertThat(read).isEqualTo(record);
    assertThat(classes.statistics().disk()).isEqualTo(counts(1, 0, 0));
  }

  @Test
  void otherConversionsAndOtherSchemasHaveOtherCode() {
    Schema decimal = LogicalTypes.decimal(9, 2).addToSchema(Schema.create(Schema.Type.BYTES));
    var converting = new GenericData();
    converting.addLogicalTypeConversion(new Conversions.DecimalConversion());
    reader(decimal, new GenericData(), classes());

    CompiledDatums classes = classes();
    reader(decimal, converting, classes);
    reader(Schema.create(Schema.Type.LONG), new GenericData(), classes);

    assertThat(classes.statistics().disk()).isEqualTo(counts(0, 2, 0));
  }

  @Test
  void fileOfOtherCodeIsOverwritten() throws Exception {
    reader(quote("Quote", "size"), new GenericData(), classes());
    Path quote = files().get(0);
    reader(Schema.create(Schema.Type.LONG), new GenericData(), classes());
    Path number = files().stream().filter(file -> !file.equals(quote)).findFirst().orElseThrow();
    Files.copy(number, quote, StandardCopyOption.REPLACE_EXISTING);

    CompiledDatums classes = classes();
    reader(quote("Quote", "size"), new GenericData(), classes);

    assertThat(classes.statistics().disk()).isEqualTo(counts(0, 1, 1));
  }

  @Test
  void directoryThatCannotBeMadeFailsNoCompilation() throws Exception {
    Path file = Files.createFile(home.resolve("file"));
    var classes = new CompiledDatums(Runnable::run, 4, CompilerOptions.NONE.withCache(file, 8));

    reader(quote("Quote", "size"), new GenericData(), classes);

    assertThat(classes.statistics().compiled()).isEqualTo(1);
    assertThat(classes.statistics().disk().failed()).isEqualTo(2);
  }

  private static Schema quote(String name, String field) {
    return SchemaBuilder.record(name).fields().requiredInt(field).endRecord();
  }

  private static DiskStatistics counts(long loaded, long stored, long ignored) {
    return new DiskStatistics(loaded, stored, ignored, 0, Optional.empty());
  }

  private CompiledDatums classes() {
    return new CompiledDatums(
        Runnable::run, 4, CompilerOptions.NONE.withCache(home.resolve("classes"), 8));
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> files = Files.list(home.resolve("classes"))) {
      return files.toList();
    }
  }

  private static FastDatumReader<Object> reader(
      Schema schema, GenericData data, CompiledDatums classes) {
    var reader = new FastDatumReader<Object>(schema, schema, data, classes);
    reader.compileNow();
    return reader;
  }

  private static byte[] written(Schema schema, Object object, CompiledDatums classes)
      throws Exception {
    var writer = new FastDatumWriter<Object>(schema, new GenericData(), classes);
    writer.compileNow();
    var out = new ByteArrayOutputStream();
    writer.write(object, EncoderFactory.get().directBinaryEncoder(out, null));
    return out.toByteArray();
  }
}
