package io.tidemark.store.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import io.tidemark.avro.plan.Planner;
import io.tidemark.avro.plan.SourceDatums;
import io.tidemark.avro.plan.TableDatums;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.schema.SchemaConflictException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldPartitionsTest {
  private static final TopicPartition FROM = new TopicPartition("orders", 0);

  @Test
  void everyTypeIsTheTextThatHiveCastsItTo() throws Exception {
    assertThat(value("\"string\"", "west")).isEqualTo("west");
    Schema side = Schema.createEnum("Side", null, null, List.of("BUY", "SELL"));
    assertThat(value(side.toString(), new GenericData.EnumSymbol(side, "SELL"))).isEqualTo("SELL");
    assertThat(value("\"boolean\"", true)).isEqualTo("true");
    assertThat(value("\"int\"", -7)).isEqualTo("-7");
    assertThat(value("\"long\"", Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(value("\"float\"", 2.5f)).isEqualTo("2.5");
    assertThat(value("\"double\"", 1e21)).isEqualTo("1.0E21");
    assertThat(value(logical("int", "date"), (int) LocalDate.parse("1969-07-20").toEpochDay()))
        .isEqualTo("1969-07-20");
    assertThat(value(logical("int", "time-millis"), 1_000)).isEqualTo("1000");
    assertThat(value(logical("long", "timestamp-millis"), millis("2026-11-21T07:30:00Z")))
        .isEqualTo("2026-11-21 07:30:00");
    assertThat(value(logical("long", "timestamp-millis"), millis("2026-11-21T07:30:00.250Z")))
        .isEqualTo("2026-11-21 07:30:00.25");
    assertThat(value(logical("long", "timestamp-micros"), 1_500_000L)).isEqualTo("1500000");
  }

  @Test
  void decimalHasItsScale() throws Exception {
    ByteBuffer unscaled = ByteBuffer.wrap(new BigDecimal("-12.50").unscaledValue().toByteArray());
    assertThat(
            value(
                "{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 9, \"scale\": 2}",
                unscaled))
        .isEqualTo("-12.50");
    Schema fixed =
        new Schema.Parser()
            .parse(
                "{\"type\": \"fixed\", \"name\": \"F\", \"size\": 4, \"logicalType\": \"decimal\","
                    + " \"precision\": 9, \"scale\": 3}");
    assertThat(value(fixed.toString(), new GenericData.Fixed(fixed, new byte[] {0, 0, 4, -46})))
        .isEqualTo("1.234");
  }

  @Test
  void decimalOfMoreDigitsThanAPathHasIsRefusedBeforeItIsWritten() {
    String decimal =
        "{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 9, \"scale\": 2}";
    byte[] huge = new byte[8 << 20];
    huge[0] = 1;

    assertThatThrownBy(() -> value(decimal, ByteBuffer.wrap(huge)))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageStartingWith("field \"f\": it is a decimal of 67108857 bits");
  }

  @Test
  void reasonIsSmallHoweverLargeTheValueIs() {
    assertThatThrownBy(() -> value("\"string\"", "x".repeat(1 << 20)))
        .isInstanceOf(UnusablePartitionException.class)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
  }

  @Test
  void nullAndEmptyShareTheDefaultPartition() throws Exception {
    assertThat(value("[\"null\", \"string\"]", null)).isEqualTo(HivePartition.DEFAULT_VALUE);
    assertThat(value("[\"string\", \"null\"]", "")).isEqualTo(HivePartition.DEFAULT_VALUE);
    assertThat(value("\"string\"", "")).isEqualTo(HivePartition.DEFAULT_VALUE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../../etc",
        "..",
        ".",
        "/",
        "a/b",
        "a=b",
        "50%",
        "%2F",
        " leading",
        "tab\tand\nnewline",
        "\u007f\u0001",
        "*?[]{}^\\\"'#:",
        "grün",
        "\uD83C\uDF0A wave"
      })
  void valueStaysOneComponentAndComesBackFromIt(String text) throws Exception {
    HivePartition partition = assign(record("\"string\""), List.of("f"), Map.of("f", text));

    assertThat(partition.path()).startsWith("f=").doesNotContain("/");
    assertThat(HivePartition.parse(partition.path()).values()).containsExactly(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\0b", HivePartition.DEFAULT_VALUE})
  void valueThatWouldNotComeBackIsRefused(String text) {
    assertThatThrownBy(() -> value("\"string\"", text))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageStartingWith("field \"f\"");
  }

  @Test
  void valueThatIsNoTextIsRefused() throws Exception {
    Schema schema = record("\"string\"");
    TableDatums datums = run(schema, List.of("f"), new byte[] {2, (byte) 0xff});

    assertThatThrownBy(() -> partitions(schema, List.of("f")).assign(datums, 0, FROM, 0))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageContaining("not valid UTF-8");
  }

  @Test
  void nameThatHdfsOrTheMetastoreCannotHoldIsRefused() throws Exception {
    assertThat(value("\"string\"", "x".repeat(253))).hasSize(253);
    assertThatThrownBy(() -> value("\"string\"", "x".repeat(254)))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageContaining("256 bytes, and HDFS allows 255");
    assertThatThrownBy(() -> value("\"string\"", "/".repeat(85)))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageContaining("257 bytes");
    Schema four =
        new Schema.Parser()
            .parse(
                "{\"type\": \"record\", \"name\": \"R\", \"fields\": ["
                    + "{\"name\": \"a\", \"type\": \"string\"}, {\"name\": \"b\", \"type\": \"string\"},"
                    + "{\"name\": \"c\", \"type\": \"string\"}, {\"name\": \"d\", \"type\": \"string\"}]}");
    String long200 = "x".repeat(200);
    assertThatThrownBy(
            () ->
                assign(
                    four,
                    List.of("a", "b", "c", "d"),
                    Map.of("a", long200, "b", long200, "c", long200, "d", long200)))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageContaining("811 characters, and the Metastore allows 767");
  }

  @Test
  void nestedFieldsAreColumnsWithUnderscores() throws Exception {
    Schema schema =
        new Schema.Parser()
            .parse(
                "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"stop\", \"type\":"
                    + " [\"null\", {\"type\": \"record\", \"name\": \"Stop\", \"fields\": ["
                    + "{\"name\": \"line\", \"type\": \"string\"}]}]}, {\"name\": \"n\", \"type\": \"int\"}]}");
    var stop = new GenericData.Record(schema.getField("stop").schema().getTypes().get(1));
    stop.put("line", "U7");

    assertThat(assign(schema, List.of("stop.line", "n"), Map.of("stop", stop, "n", 3)).path())
        .isEqualTo("stop_line=U7/n=3");
    assertThat(assign(schema, List.of("stop.line", "n"), Map.of("n", 3)).path())
        .isEqualTo("stop_line=__HIVE_DEFAULT_PARTITION__/n=3");
  }

  @Test
  void equalValuesGiveTheSameObject() throws Exception {
    Schema schema = record("[\"null\", \"string\"]");
    List<String> path = List.of("f");
    FieldPartitions partitions = partitions(schema, path);
    HivePartition west =
        partitions.assign(run(schema, path, datum(schema, Map.of("f", "west"))), 0, FROM, 0);
    HivePartition none = partitions.assign(run(schema, path, datum(schema, Map.of())), 0, FROM, 0);

    assertThat(partitions.assign(run(schema, path, datum(schema, Map.of("f", "west"))), 0, FROM, 0))
        .isSameAs(west);
    assertThat(none).isNotEqualTo(west);
    assertThat(partitions.assign(run(schema, path, datum(schema, Map.of())), 0, FROM, 0))
        .isSameAs(none);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"bytes\"",
        "{\"type\": \"array\", \"items\": \"string\"}",
        "{\"type\": \"map\", \"values\": \"string\"}",
        "{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 2000000000, \"scale\": 2000000000}",
        "{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 9, \"scale\": -2000000000}",
        "[\"null\", \"string\", \"int\"]"
      })
  void fieldsWithoutATextAreRefused(String type) {
    Schema schema = new Schema.Parser().parse(type);

    assertThatThrownBy(() -> PartitionField.of("f", schema))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("field f: ")
        .hasMessageContaining("partition.field.name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " , ", "a,,b!", "_id", "a.b,a_b", "Region,region", "a..b", "../x"})
  void listsThatNameNoColumnsAreRefused(String paths) {
    assertThatThrownBy(() -> FieldPartitioned.parse(paths))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void columnThatTheMetastoreCannotNameIsRefused() {
    assertThat(FieldPartitioned.parse("a." + "b".repeat(126)).columns()).hasSize(1);
    assertThatThrownBy(() -> FieldPartitioned.parse("a." + "b".repeat(127)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("129 characters, and the Metastore allows 128");
  }

  private static String logical(String type, String logicalType) {
    return "{\"type\": \"" + type + "\", \"logicalType\": \"" + logicalType + "\"}";
  }

  private static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  private static Schema record(String type) {
    return new Schema.Parser()
        .parse(
            "{\"type\": \"record\", \"name\": \"R\", \"fields\": [{\"name\": \"f\", \"type\": "
                + type
                + "}]}");
  }

  private static String value(String type, @Nullable Object value) throws Exception {
    return assign(record(type), List.of("f"), value == null ? Map.of() : Map.of("f", value))
        .values()
        .get(0);
  }

  private static HivePartition assign(Schema schema, List<String> paths, Map<String, Object> values)
      throws Exception {
    return partitions(schema, paths).assign(run(schema, paths, datum(schema, values)), 0, FROM, 0);
  }

  private static FieldPartitions partitions(Schema schema, List<String> paths)
      throws SchemaConflictException {
    PartitionField[] fields = new PartitionField[paths.size()];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = PartitionField.of(paths.get(i), Planner.fieldSchema(schema, paths.get(i)));
    }
    return new FieldPartitions(new FieldPartitioned(paths), Arrays.asList(fields));
  }

  private static byte[] datum(Schema schema, Map<String, Object> values) throws IOException {
    var row = new GenericData.Record(schema);
    values.forEach(row::put);
    var bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    new GenericDatumWriter<GenericData.Record>(schema).write(row, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static TableDatums run(Schema schema, List<String> paths, byte[] datum) throws Exception {
    var source = new SourceDatums();
    source.add(datum, 0, datum.length);
    var datums = new TableDatums(64);
    new CompiledPlans(Runnable::run, 8, CompilerOptions.NONE)
        .runner(Planner.plan(schema, schema, paths))
        .run(source, 0, 1, datums);
    return datums;
  }
}
