package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.plan.UnresolvableDatumException;
import java.util.HexFormat;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes in the form of Debezium's connector for MySQL. */
final class EnvelopeTest {
  private static final SchemaMapping UNWRAP = SchemaMapping.builder().unwrap().build();
  private static final Schema CHANGE = change("\"int\"", "");

  private static Schema change(String type, String moreOfTheRow) {
    return new Schema.Parser()
        .parse(
            """
            {"type": "record", "name": "Envelope", "namespace": "shop.inventory.people", "fields": [
              {"name": "before", "default": null, "type": ["null",
                {"type": "record", "name": "Value", "connect.name": "shop.inventory.people.Value",
                 "fields": [
                  {"name": "id", "type": %s},
                  {"name": "name", "type": ["null", "string"], "default": null}%s]}]},
              {"name": "after", "type": ["null", "Value"], "default": null},
              {"name": "source", "type": {"type": "record", "name": "Source",
                "namespace": "io.debezium.connector.mysql", "fields": [
                  {"name": "file", "type": "string"},
                  {"name": "pos", "type": "long"}]}},
              {"name": "op", "type": "string"},
              {"name": "ts_ms", "type": ["null", "long"], "default": null},
              {"name": "transaction", "default": null, "type": ["null",
                {"type": "record", "name": "block", "namespace": "event", "fields": [
                  {"name": "id", "type": "string"}]}]}]}\
            """
                .formatted(type, moreOfTheRow));
  }

  private static @Nullable GenericRecord image(@Nullable String name) {
    if (name == null) {
      return null;
    }
    var image = new GenericData.Record(CHANGE.getField("after").schema().getTypes().get(1));
    image.put("id", 7);
    image.put("name", name);
    return image;
  }

  private static byte[] change(@Nullable String before, @Nullable String after, String op) {
    var source = new GenericData.Record(CHANGE.getField("source").schema());
    source.put("file", "binlog.3");
    source.put("pos", 154L);
    var change = new GenericData.Record(CHANGE);
    change.put("before", image(before));
    change.put("after", image(after));
    change.put("source", source);
    change.put("op", op);
    change.put("ts_ms", 5L);
    return AvroLibrary.encode(CHANGE, change);
  }

  @ParameterizedTest
  @CsvSource({"c, , Ann, Ann", "u, Ann, Bob, Bob", "d, Bob, , Bob", "r, , Ann, Ann"})
  void rowIsTheImageAfterTheChangeOrElseBefore(
      String op, @Nullable String before, @Nullable String after, String row) throws Exception {
    Schema schema = UNWRAP.schema(CHANGE);
    var runs = new MappingRuns(UNWRAP.plan(CHANGE, schema, List.of("name", "cdc_op")));
    MappingRuns.Result result = runs.run(change(before, after, op));

    assertThat(String.valueOf(AvroLibrary.decode(schema, HexFormat.of().parseHex(result.bytes()))))
        .isEqualTo(
            """
            {"id": 7, "name": "%s", "cdc_source_file": "binlog.3", "cdc_source_pos": 154, "cdc_op": "%s", "cdc_ts_ms": 5, "cdc_transaction": null}\
            """
                .formatted(row, op));
    assertThat(result.fields()).as("positions of name and cdc_op").containsExactly(2, 4, 17, 2);
  }

  @Test
  void rowHasTheNameAndTheFieldsOfTheImages() {
    Schema row = UNWRAP.schema(CHANGE);

    assertThat(row.getFullName()).isEqualTo("shop.inventory.people.Value");
    assertThat(row.getProp("connect.name")).isEqualTo("shop.inventory.people.Value");
    assertThat(row.getField("name").defaultVal()).isEqualTo(CHANGE.getField("ts_ms").defaultVal());
    assertThat(new Schema.Parser().parse(row.toString())).isEqualTo(row);
  }

  @Test
  void defaultThatLacksAFieldIsDropped() {
    Schema change =
        new Schema.Parser()
            .setValidateDefaults(false)
            .parse(
                change(
                        "\"int\"",
                        """
                        , {"name": "at", "type": {"type": "record", "name": "Point", "fields": [
                          {"name": "x", "type": "int"}]}}\
                        """)
                    .toString()
                    .replace("{\"name\":\"at\",", "{\"name\":\"at\",\"default\":{},"));

    assertThat(change.toString()).contains("\"default\":{}");
    assertThat(UNWRAP.schema(change).getField("at").hasDefaultValue()).isFalse();
  }

  /** Debezium gives the default of a number with decimal.handling.mode=precise as bytes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'type':'bytes','logicalType':'decimal','precision':9,'scale':2} | '\\u0001\\u00ff'",
        "['bytes','null'] | '\\u0001\\u00ff'",
        "{'type':'fixed','name':'F','size':2} | '\\u0001\\u00ff'",
        "{'type':'array','items':'bytes'} | ['\\u0001\\u00ff']"
      })
  void defaultOfBytesStays(String type, String value) {
    Schema change =
        change(
            "\"int\"",
            ", {\"name\": \"price\", \"type\": %s, \"default\": %s}"
                .formatted(type, value)
                .replace('\'', '"'));
    Schema.Field price = change.getField("after").schema().getTypes().get(1).getField("price");

    assertThat(UNWRAP.schema(change).getField("price")).isEqualTo(price);
  }

  @Test
  void rowHasTheAliasesOfTheImages() {
    Schema renamed =
        new Schema.Parser()
            .parse(
                CHANGE
                    .toString()
                    .replace("\"name\":\"Value\",", "\"name\":\"Value\",\"aliases\":[\"Old\"],"));

    assertThat(UNWRAP.schema(renamed).getAliases()).containsExactly("shop.inventory.people.Old");
  }

  @Test
  void rulesApplyToTheColumnsOfTheRow() throws Exception {
    SchemaMapping mapping =
        SchemaMapping.builder()
            .unwrap()
            .mask("name", "?")
            .exclude("cdc_source_file")
            .exclude("cdc_transaction")
            .build();
    Schema schema = mapping.schema(CHANGE);
    var runs = new MappingRuns(mapping.plan(CHANGE, schema, List.of()));

    assertThat(
            String.valueOf(
                AvroLibrary.decode(
                    schema, HexFormat.of().parseHex(runs.run(change("Ann", null, "d")).bytes()))))
        .isEqualTo(
            """
            {"id": 7, "name": "?", "cdc_source_pos": 154, "cdc_op": "d", "cdc_ts_ms": 5}\
            """);
  }

  @Test
  void changeWithoutARowIsRejected() {
    var runs = new MappingRuns(UNWRAP.plan(CHANGE, UNWRAP.schema(CHANGE), List.of()));

    assertThatThrownBy(() -> runs.run(change(null, null, "t")))
        .isInstanceOf(UnresolvableDatumException.class)
        .hasMessage("byte 0: the change has no row: before and after are null");
  }

  @Test
  void damagedImageThatIsNotTakenIsStillRejected() {
    var runs = new MappingRuns(UNWRAP.plan(CHANGE, UNWRAP.schema(CHANGE), List.of()));
    byte[] change = change("Ann", "Bob", "u");
    change[3] = 100; // The length of the name before is larger than the datum.

    assertThatThrownBy(() -> runs.run(change)).hasMessageContaining("field \"before.name\"");
  }

  @ParameterizedTest
  @CsvSource({
    "int, io.debezium.time.Date, date",
    "int, io.debezium.time.Time, time-millis",
    "long, io.debezium.time.MicroTime, time-micros",
    "long, io.debezium.time.Timestamp, local-timestamp-millis",
    "long, io.debezium.time.MicroTimestamp, local-timestamp-micros",
    "long, io.debezium.time.NanoTimestamp, local-timestamp-nanos",
    "string, io.debezium.data.Uuid, uuid",
    "long, io.debezium.time.NanoTime,",
    "string, io.debezium.time.ZonedTimestamp,",
    "string, io.debezium.time.Date,",
  })
  void typesOfDebeziumGetALogicalType(String type, String name, @Nullable String logical) {
    Schema row =
        UNWRAP.schema(
            change(
                "{\"type\": \"%s\", \"connect.version\": 1, \"connect.name\": \"%s\"}"
                    .formatted(type, name),
                ""));
    Schema column = row.getField("id").schema();

    assertThat(column.getProp("logicalType")).isEqualTo(logical);
    assertThat(column.getProp("connect.name")).isEqualTo(name);
    assertThat(column.getType().getName()).isEqualTo(type);
  }

  @Test
  void otherRecordsAreRefused() {
    Schema row = CHANGE.getField("after").schema().getTypes().get(1);
    Schema clash = change("\"int\"", ", {\"name\": \"cdc_op\", \"type\": \"int\"}");

    assertThatThrownBy(() -> UNWRAP.schema(row))
        .isInstanceOf(UnmappableSchemaException.class)
        .hasMessage(
            "shop.inventory.people.Value is not a change of Debezium: it has not the fields op and"
                + " source, and the nullable records before and after of one type");
    assertThatThrownBy(() -> UNWRAP.schema(clash))
        .isInstanceOf(UnmappableSchemaException.class)
        .hasMessage("two of its columns would be named cdc_op");
  }
}
