package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecordBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PlannerTest {
  private static final String QUOTE =
      """
      {'type': 'record', 'name': 'Quote', 'fields': [
        {'name': 'symbol', 'type': 'string'},
        {'name': 'time', 'type': {'type': 'long', 'logicalType': 'timestamp-millis'}},
        {'name': 'venue', 'type': ['null', {'type': 'record', 'name': 'Venue', 'fields': [
          {'name': 'code', 'type': ['string', 'null']},
          {'name': 'tags', 'type': {'type': 'array', 'items': 'string'}}]}]}]}
      """;

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'int' | 'int'",
        "['null', 'int'] | ['null', 'int']",
        "{'type': 'enum', 'name': 'E', 'symbols': ['A']} | {'type': 'enum', 'name': 'E', 'symbols': ['A', 'B']}",
        "{'type': 'bytes', 'logicalType': 'decimal', 'precision': 9, 'scale': 2} | {'type': 'bytes', 'logicalType': 'decimal', 'precision': 12, 'scale': 2}",
        "'long' | {'type': 'long', 'logicalType': 'timestamp-micros'}",
        "'int' | 'long'",
        "[] | []",
        "{'type': 'enum', 'name': 'E', 'symbols': []} | {'type': 'enum', 'name': 'E', 'symbols': []}",
        "'string' | 'bytes'",
        "'bytes' | 'string'",
        "['null', 'int'] | ['null', 'long']",
        "['null', 'int'] | ['null', 'int', 'string']",
        "{'type': 'fixed', 'name': 'F', 'size': 2} | {'type': 'fixed', 'name': 'ns.F', 'size': 2}"
      })
  void sameBytesAreCopied(String writer, String table) {
    assertThat(Planner.plan(field("v", writer), field("v", table), List.of()).copies()).isTrue();
  }

  /** The union has the index 0 in front of the value. */
  @ParameterizedTest
  @ValueSource(strings = {"'int'", "'null'", "{'type': 'enum', 'name': 'E', 'symbols': ['A']}"})
  void valueBecomesTheOnlyBranchOfAUnionWithItsIndex(String type) throws Exception {
    Plan plan = Planner.plan(schema(type), schema("[" + type + "]"), List.of());
    byte[] value = type.equals("'null'") ? new byte[0] : new byte[] {0};
    var result = new TableDatum();

    new PlanInterpreter(plan).run(value, 0, value.length, result);

    assertThat(result.length()).isEqualTo(1 + value.length);
  }

  @Test
  void fieldRenamedWithAnAliasIsCopiedAndFoundUnderItsNewName() throws Exception {
    Schema writer = field("old", "'int'");
    Schema table =
        schema(
            "{'type': 'record', 'name': 'R', 'fields': [{'name': 'new', 'type': 'int', 'aliases': ['old']}]}");
    Plan plan = Planner.plan(writer, table, List.of("new"));
    var result = new TableDatum();

    new PlanInterpreter(plan).run(new byte[] {14}, 0, 1, result);

    assertThat(plan.copies()).isTrue();
    assertThat(result.hasField(0)).isTrue();
  }

  @ParameterizedTest(name = "{0} as {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'int' | 'float'",
        "'int' | 'double'",
        "'long' | 'float'",
        "'long' | 'double'",
        "'float' | 'double'",
        "'int' | ['null', 'int']",
        "['null', 'int'] | 'int'",
        "['null', 'int'] | ['int', 'null']",
        "['null', 'int'] | ['string', 'null', 'int']",
        "{'type': 'array', 'items': 'int'} | {'type': 'array', 'items': 'double'}",
        "{'type': 'map', 'values': 'int'} | {'type': 'map', 'values': 'double'}",
        "{'type': 'enum', 'name': 'E', 'symbols': ['A']} | {'type': 'enum', 'name': 'E', 'symbols': ['B', 'A']}"
      })
  void otherBytesAreRewritten(String writer, String table) {
    assertThat(Planner.plan(field("v", writer), field("v", table), List.of()).copies()).isFalse();
  }

  @ParameterizedTest(name = "{0} as {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'string' | 'int' | field \"v\": string cannot be read as int",
        "'double' | 'float' | field \"v\": double cannot be read as float",
        "'string' | ['null', 'int'] | field \"v\": string cannot be read as [null, int]",
        "['int', 'string'] | ['null', 'boolean'] | field \"v\": int cannot be read as [null, boolean]",
        "{'type': 'array', 'items': 'string'} | {'type': 'array', 'items': 'int'} | field \"v[]\": string cannot be read as int",
        "{'type': 'map', 'values': 'string'} | {'type': 'map', 'values': 'int'} | field \"v{}\": string cannot be read as int",
        "{'type': 'fixed', 'name': 'F', 'size': 2} | {'type': 'fixed', 'name': 'F', 'size': 3} | field \"v\": fixed F of 2 bytes cannot be read as one of 3",
        "{'type': 'fixed', 'name': 'F', 'size': 2} | {'type': 'fixed', 'name': 'G', 'size': 2} | field \"v\": fixed F has another name than the reader's G, which does not list it as an alias",
        "{'type': 'enum', 'name': 'E', 'symbols': ['A']} | {'type': 'enum', 'name': 'F', 'symbols': ['A']} | field \"v\": enum E has another name than the reader's F, which does not list it as an alias",
        "{'type': 'enum', 'name': 'E', 'symbols': ['A']} | {'type': 'enum', 'name': 'E', 'symbols': ['B']} | field \"v\": enum E shares no symbol with the reader's enum, which has no default",
        "{'type': 'record', 'name': 'A', 'fields': []} | {'type': 'record', 'name': 'B', 'fields': []} | field \"v\": record A has another name than the reader's B, which does not list it as an alias",
        "{'type': 'long', 'logicalType': 'timestamp-millis'} | {'type': 'long', 'logicalType': 'timestamp-micros'} | field \"v\": written as timestamp-millis, but the reader has timestamp-micros",
        "['null', {'type': 'int', 'logicalType': 'date'}] | ['null', {'type': 'long', 'logicalType': 'timestamp-millis'}] | field \"v\": written as date, but the reader has timestamp-millis",
        "{'type': 'bytes', 'logicalType': 'decimal', 'precision': 9, 'scale': 2} | {'type': 'bytes', 'logicalType': 'decimal', 'precision': 9, 'scale': 3} | field \"v\": written as decimal(9, 2), but the reader has decimal(9, 3)"
      })
  void otherMeaningIsRefusedWhenPlanned(String writer, String table, String cause) {
    assertThatThrownBy(() -> Planner.plan(field("v", writer), field("v", table), List.of()))
        .isInstanceOf(IncompatibleSchemasException.class)
        .hasMessage("writer schema R cannot be read as reader schema R: " + cause);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type': 'string', 'java-class': 'java.math.BigDecimal'} | '1.5' | 06312e35",
        "{'type': 'string', 'avro.java.string': 'String'} | '1.5' | 06312e35",
        "{'type': 'map', 'values': 'int', 'java-key-class': 'java.net.URI'} | {'a': 1} | 0202610200",
        "{'type': 'array', 'items': {'type': 'string', 'java-class': 'java.io.File'}, 'java-class': 'java.util.Set'} | ['a'] | 02026100",
      })
  void classesThatASchemaNamesForJavaChangeNoDefault(String type, String value, String bytes)
      throws Exception {
    Schema table =
        schema(
            "{'type': 'record', 'name': 'R', 'fields': [{'name': 'v', 'type': %s, 'default': %s}]}"
                .formatted(type, value));
    var result = new TableDatum();
    Plan plan = Planner.plan(field("w", "'int'"), table, List.of());

    new PlanInterpreter(plan).run(new byte[] {14}, 0, 1, result);

    assertThat(
            HexFormat.of()
                .formatHex(
                    Arrays.copyOfRange(
                        result.bytes(), result.offset(), result.offset() + result.length())))
        .isEqualTo(bytes);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'R' | {} | it contains itself, or is nested deeper than 200 values",
        "'R' | 1 | it contains itself, or is nested deeper than 200 values",
        "['R', 'null'] | {} | it contains itself, or is nested deeper than 200 values",
        "['R', 'null'] | null | it contains itself, or is nested deeper than 200 values",
        "['string', 'R'] | {} | it contains itself, or is nested deeper than 200 values",
        "{'type': 'array', 'items': 'R'} | [{}] | it contains itself, or is nested deeper than 200 values",
        "{'type': 'map', 'values': 'R'} | {'a': {}} | it contains itself, or is nested deeper than 200 values",
        "{'type': 'array', 'items': 'R'} | [{}, {}] | it contains itself, or is nested deeper than 200 values",
      })
  void defaultThatNoMemoryHoldsIsRefusedByName(String type, String value, String cause) {
    Schema table =
        unchecked(
            "{'type': 'record', 'name': 'R', 'fields': [{'name': 'v', 'type': %s, 'default': %s}]}"
                .formatted(type, value));
    assertThatThrownBy(() -> Planner.plan(field("w", "'int'"), table, List.of()))
        .isInstanceOfSatisfying(
            IncompatibleSchemasException.class, e -> assertThat(e.fieldPath()).isEqualTo("v"))
        .hasMessageEndingWith("field \"v\": its default cannot be read: " + cause);
  }

  @Test
  void defaultOfManyMegabytesIsRefused() {
    Schema table =
        unchecked(
            "{'type': 'record', 'name': 'R', 'fields': [{'name': 'v', 'type': {'type': 'array', 'items':"
                + " {'type': 'fixed', 'name': 'F', 'size': 60000}}, 'default': ["
                + "'', ".repeat(300)
                + "'']}]}");
    assertThatThrownBy(() -> Planner.plan(field("w", "'int'"), table, List.of()))
        .isInstanceOf(IncompatibleSchemasException.class)
        .hasMessageContaining("have more than 16777216 bytes");
  }

  @Test
  void defaultsThatDoubleWithEachTypeAreRefused() {
    var text = new StringBuilder("{'type': 'record', 'name': 'R', 'fields': [");
    for (int i = 1; i < 60; i++) {
      text.append("{'name': 'a', 'type': {'type': 'record', 'name': 'R").append(i);
      text.append("', 'fields': [");
    }
    text.append("{'name': 'a', 'type': 'int', 'default': 0}");
    for (int i = 59; i > 0; i--) {
      text.append("]}, 'default': {}}, {'name': 'b', 'type': 'R").append(i);
      text.append("', 'default': {}}");
    }
    Schema table = unchecked(text.append("]}").toString());
    assertThatThrownBy(() -> Planner.plan(field("w", "'int'"), table, List.of()))
        .isInstanceOf(IncompatibleSchemasException.class)
        .hasMessageContaining("have more than 100000 values");
  }

  @Test
  void fieldWithoutDefaultIsRefusedByName() {
    assertThatThrownBy(() -> Planner.plan(field("v", "'int'"), field("w", "'int'"), List.of()))
        .isInstanceOfSatisfying(
            IncompatibleSchemasException.class, e -> assertThat(e.fieldPath()).isEqualTo("w"))
        .hasMessage(
            "writer schema R cannot be read as reader schema R: field \"w\": the writer lacks it, and it has no default");
  }

  @Test
  void defaultThatIsNoneOfItsTypeIsRefusedByName() {
    var parser = new Schema.Parser();
    parser.setValidateDefaults(false);
    Schema table =
        parser.parse(
            """
            {"type": "record", "name": "R", "fields": [{"name": "v", "type": {"type": "array", "items":
              {"type": "record", "name": "N", "fields": [{"name": "a", "type": "int", "default": "one"}]}}}]}
            """);
    Schema writer =
        field("v", "{'type': 'array', 'items': {'type': 'record', 'name': 'N', 'fields': []}}");

    assertThatThrownBy(() -> Planner.plan(writer, table, List.of()))
        .isInstanceOf(IncompatibleSchemasException.class)
        .hasMessage(
            "writer schema R cannot be read as reader schema R: field \"v[].a\": its default is not a valid int: Non-numeric default value for int: \"one\"");
  }

  @Test
  void refusalNamesThePathsOfBothSchemas() {
    Schema writer =
        field(
            "legs",
            "{'type': 'array', 'items': {'type': 'record', 'name': 'Leg', 'fields': [{'name': 'px', 'type': 'string'}]}}");
    Schema table =
        field(
            "legs",
            "{'type': 'array', 'items': {'type': 'record', 'name': 'Leg', 'fields': [{'name': 'price', 'type': 'int', 'aliases': ['px']}]}}");

    assertThatThrownBy(() -> Planner.plan(writer, table, List.of()))
        .isInstanceOfSatisfying(
            IncompatibleSchemasException.class,
            e -> {
              assertThat(e.fieldPath()).isEqualTo("legs[].price");
              assertThat(e.writerFieldPath()).isEqualTo("legs[].px");
            })
        .hasMessageEndingWith(
            "field \"legs[].price\" (the writer's \"legs[].px\"): string cannot be read as int");
  }

  @Test
  void aliasThatGivesTwoFieldsOneNameIsRefused() {
    Schema writer =
        schema(
            "{'type': 'record', 'name': 'R', 'fields': [{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': 'int'}]}");
    Schema table =
        schema(
            "{'type': 'record', 'name': 'R', 'fields': [{'name': 'a', 'type': 'int', 'aliases': ['b']}]}");

    assertThatThrownBy(() -> Planner.plan(writer, table, List.of()))
        .isInstanceOf(IncompatibleSchemasException.class)
        .hasMessageContaining("Duplicate field a");
  }

  @Test
  void fieldsAreFoundThroughRecordsAndNulls() throws Exception {
    Schema quote = schema(QUOTE);
    Schema venue = Planner.fieldSchema(quote, "venue");
    var paths = List.of("time", "venue.code", "venue", "venue.code");
    var interpreter = new PlanInterpreter(Planner.plan(quote, quote, paths));
    var result = new TableDatum();
    var builder = new GenericRecordBuilder(quote).set("symbol", "ACME").set("time", 1L);

    byte[] withVenue =
        AvroLibrary.encode(
            quote,
            builder
                .set(
                    "venue",
                    new GenericRecordBuilder(venue)
                        .set("code", "XETR")
                        .set("tags", List.of())
                        .build())
                .build());
    interpreter.run(withVenue, 0, withVenue.length, result);
    assertThat(result.fieldOffset(0)).isEqualTo(5);
    assertThat(new String(result.bytes(), result.fieldOffset(1), result.fieldLength(1), "UTF-8"))
        .isEqualTo("\bXETR");
    assertThat(result.fieldOffset(2)).isEqualTo(7);
    assertThat(result.fieldLength(2)).isEqualTo(withVenue.length - 7);
    assertThat(result.fieldOffset(3)).isEqualTo(result.fieldOffset(1));

    byte[] withoutVenue = AvroLibrary.encode(quote, builder.set("venue", null).build());
    interpreter.run(withoutVenue, 0, withoutVenue.length, result);
    assertThat(result.hasField(0)).isTrue();
    assertThat(result.hasField(1)).isFalse();
    assertThat(result.hasField(2)).isFalse();
    assertThatThrownBy(() -> result.fieldOffset(1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> result.hasField(4)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void fieldSchemaIsThatOfTheLeafWithoutNull() {
    Schema quote = schema(QUOTE);

    assertThat(Planner.fieldSchema(quote, "venue.code")).isEqualTo(schema("'string'"));
    assertThat(Planner.fieldSchema(quote, "time").getLogicalType()).isNotNull();
  }

  @ParameterizedTest(name = "path \"{0}\"")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "price      | no field \"price\": record Quote has no \"price\", only [symbol, time, venue]",
        "venue.name | no field \"venue.name\": record Venue has no \"name\", only [code, tags]",
        "time.zone  | no field \"time.zone\": \"time\" is long, not a record",
        "venue.tags.x | no field \"venue.tags.x\": \"venue.tags\" is array, not a record",
        "``         | no field \"\": record Quote has no \"\", only [symbol, time, venue]",
        "time.      | no field \"time.\": \"time\" is long, not a record"
      })
  void unknownPathIsRefusedWithWhatThereIs(String path, String message) {
    Schema quote = schema(QUOTE);

    assertThatThrownBy(() -> Planner.plan(quote, quote, List.of(path)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void planIsAValueThatPrints() {
    Schema quote = schema(QUOTE);

    Plan plan = Planner.plan(quote, quote, List.of("time", "venue.code"));

    assertThat(plan).isEqualTo(Planner.plan(schema(QUOTE), quote, List.of("time", "venue.code")));
    assertThat(plan)
        .hasToString(
            """
            copy Quote
              record
                symbol: bytes
                time: as field 0 (time) long
                venue: union
                  nothing
                  record
                    code: union
                      as field 1 (venue.code) bytes
                      nothing
                    tags: array
                      bytes
            """);
  }

  @Test
  void planThatRewritesPrintsWhatIsTakenAndWhatIsEmitted() {
    Schema writer =
        schema(
            """
            {'type': 'record', 'name': 'Quote', 'fields': [
              {'name': 'symbol', 'type': 'string'},
              {'name': 'size', 'type': 'int'},
              {'name': 'side', 'type': {'type': 'enum', 'name': 'Side', 'symbols': ['BUY', 'SELL']}},
              {'name': 'note', 'type': ['null', 'string', 'int']},
              {'name': 'flags', 'type': {'type': 'array', 'items': 'boolean'}},
              {'name': 'legs', 'type': {'type': 'map', 'values': 'int'}}]}
            """);
    Schema table =
        schema(
            """
            {'type': 'record', 'name': 'Quote', 'fields': [
              {'name': 'size', 'type': 'double'},
              {'name': 'symbol', 'type': 'string'},
              {'name': 'venue', 'type': ['string', 'null'], 'default': 'XETR'},
              {'name': 'side', 'type': {'type': 'enum', 'name': 'Side', 'symbols': ['SELL']}},
              {'name': 'note', 'type': ['string', 'null']},
              {'name': 'legs', 'type': {'type': 'map', 'values': ['null', 'int']}}]}
            """);

    assertThat(Planner.plan(writer, table, List.of("size", "venue")))
        .hasToString(
            """
            rewrite Quote as Quote
              record
                take symbol: bytes
                take size: as field 0 (size) int to double of int
                take side: enum to [BUY: refuse, SELL: 0] of enum of 2
                take note: union
                  branch 1, nothing
                  branch 0, bytes
                  refuse: int cannot be read as [string, null]
                take flags: drop array
                  boolean
                take legs: map
                  branch 1, int
                emit size
                emit symbol
                emit venue: branch 0, as field 1 (venue) write 08 58 45 54 52
                emit side
                emit note
                emit legs
            """);
  }

  @Test
  void recursivePlanPrintsItsRecordsOnce() {
    Schema node =
        schema(
            "{'type': 'record', 'name': 'Node', 'fields': [{'name': 'next', 'type': ['null', 'Node']}]}");

    assertThat(Planner.plan(node, node, List.of("next.next")))
        .hasToString(
            """
            copy Node
              record
                next: union
                  nothing
                  record
                    next: union
                      nothing
                      as field 0 (next.next) Node
              where Node is record
                next: union
                  nothing
                  Node
            """);
  }

  private static Schema field(String name, String type) {
    return schema(
        "{'type': 'record', 'name': 'R', 'fields': [{'name': '%s', 'type': %s}]}"
            .formatted(name, type));
  }

  private static Schema schema(String json) {
    return new Schema.Parser().parse(json.replace('\'', '"'));
  }

  /**
   * A schema that a registry may contain: Avro's own check overflows the stack on some defaults.
   */
  private static Schema unchecked(String text) {
    return new Schema.Parser().setValidateDefaults(false).parse(text.replace('\'', '"'));
  }
}
