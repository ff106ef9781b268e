package io.tidemark.store.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.RegisteredSchema;
import java.util.Set;
import org.apache.avro.JsonProperties;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaEvolutionTest {

  @Test
  void writerOfTheTablesSchemaChangesNothing() throws Exception {
    Schema table = record("{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': 'string'}");

    assertThat(SchemaEvolution.evolve(table, parse(table.toString()))).isSameAs(table);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'int'                      | 'int'                      | 'int'",
        "'int'                      | 'long'                     | 'long'",
        "'long'                     | 'int'                      | 'long'",
        "'int'                      | 'float'                    | 'double'",
        "'float'                    | 'double'                   | 'double'",
        "'double'                   | 'long'                     | 'double'",
        "'float'                    | 'long'                     | 'double'",
        "'int'                      | 'double'                   | 'double'",
        "'string'                   | ['null','string']          | ['string','null']",
        "['null','string']          | 'string'                   | ['null','string']",
        "['null','string']          | ['string','null']          | ['null','string']",
        "['null','int']             | 'double'                   | ['null','double']",
        "'null'                     | 'string'                   | ['null','string']",
        "['string']                 | 'string'                   | ['string']",
        "'string'                   | ['string']                 | 'string'",
        "['int','string']           | 'string'                   | ['int','string']",
        "['int','string']           | ['null','double','string'] | ['int','string','null','double']",
        "{'type':'array','items':'int'} | {'type':'array','items':'long'} | {'type':'array','items':'long'}",
        "{'type':'map','values':'int'}  | {'type':'map','values':['null','int']} | {'type':'map','values':['int','null']}",
        "{'type':'enum','name':'E','symbols':['A','B']} | {'type':'enum','name':'E','symbols':['C','A']} | {'type':'enum','name':'E','symbols':['A','B','C']}",
        "{'type':'long','logicalType':'timestamp-millis'} | 'long' | {'type':'long','logicalType':'timestamp-millis'}",
        "'long' | {'type':'long','logicalType':'timestamp-millis'} | 'long'",
        "{'type':'bytes','logicalType':'decimal','precision':9,'scale':2} | {'type':'bytes','logicalType':'decimal','precision':12,'scale':2} | {'type':'bytes','logicalType':'decimal','precision':12,'scale':2}",
        "{'type':'fixed','name':'F','size':4} | {'type':'fixed','name':'F','size':4} | {'type':'fixed','name':'F','size':4}",
      })
  void typesMeetInOneThatReadsBoth(String table, String writer, String merged) throws Exception {
    assertThat(SchemaEvolution.evolve(field(table), field(writer))).isEqualTo(field(merged));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'int'    | 'string'  | the types differ",
        "'string' | 'bytes'   | the types differ",
        "'int'    | 'boolean' | the types differ",
        "{'type':'long','logicalType':'timestamp-millis'} | {'type':'long','logicalType':'timestamp-micros'} | the logical types differ",
        "{'type':'int','logicalType':'date'} | 'long' | a number with a logical type cannot be promoted",
        "{'type':'bytes','logicalType':'decimal','precision':9,'scale':2} | {'type':'bytes','logicalType':'decimal','precision':9,'scale':3} | the decimals' scales differ",
        "{'type':'fixed','name':'F','size':4} | {'type':'fixed','name':'F','size':5} | the sizes differ",
        "{'type':'enum','name':'E','symbols':['A']} | {'type':'enum','name':'O','symbols':['A']} | these are different types",
        "{'type':'array','items':'int'} | {'type':'map','values':'int'} | the types differ",
      })
  void typesWithoutACommonOneAreRefused(String table, String writer, String problem) {
    assertThatThrownBy(() -> SchemaEvolution.evolve(field(table), field(writer)))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageStartingWith("Field R.f: the table has ")
        .hasMessageContaining(problem);
    assertThatThrownBy(() -> SchemaEvolution.evolve(field(writer), field(table)))
        .isInstanceOf(SchemaConflictException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'long'                         | 'double'",
        "'long'                         | 'float'",
        "['null','long']                | 'double'",
        "'long'                         | ['null','float']",
        "{'type':'map','values':'long'} | {'type':'map','values':'float'}"
      })
  void doubleDoesNotJoinLongsThatReadersWouldThenRound(String longs, String doubles)
      throws Exception {
    assertThatThrownBy(() -> SchemaEvolution.evolve(field(longs), field(doubles)))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("a double would round longs of the table");
    assertThat(SchemaEvolution.evolve(field(doubles), field(longs)).toString()).contains("double");
  }

  @Test
  void plainTypeNeverBecomesAUnionWhichHiveCouldNotReadInOldFiles() {
    assertThatThrownBy(
            () -> SchemaEvolution.evolve(field("['null','string']"), field("['int','string']")))
        .isInstanceOf(SchemaConflictException.class)
        .hasMessageContaining("a plain type cannot become a union of several types");
  }

  @Test
  void newFieldIsAppendedWithItsDefault() throws Exception {
    Schema table = record("{'name': 'a', 'type': 'int'}");
    Schema writer =
        record("{'name': 'b', 'type': 'string', 'default': 'x'}, {'name': 'a', 'type': 'int'}");

    assertThat(SchemaEvolution.evolve(table, writer))
        .isEqualTo(
            record(
                "{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': 'string', 'default': 'x'}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'record','name':'N','fields':[{'name':'x','type':'int'}]} | {'x':1}",
        "{'type':'bytes','logicalType':'decimal','precision':9,'scale':2} | '\\u0001'",
        "['int','string'] | 1",
        "['int','null','string'] | 1",
        "{'type':'array','items':['int','string']} | [1]",
        "{'type':'map','values':{'type':'bytes','logicalType':'decimal','precision':9,'scale':2}} | {'k':'\\u0001'}",
      })
  void newFieldWhoseDefaultHiveCannotReadInOldFilesBecomesNullable(String type, String value)
      throws Exception {
    Schema table = record("{'name': 'a', 'type': 'int'}");
    Schema writer =
        record(
            "{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': %s, 'default': %s}"
                .formatted(type, value));

    Schema evolved = SchemaEvolution.evolve(table, writer);

    assertThat(evolved.getField("b").defaultVal()).isEqualTo(JsonProperties.NULL_VALUE);
    assertThat(evolved.getField("b").schema().isNullable()).isTrue();
    assertThat(SchemaEvolution.evolve(evolved, writer)).isSameAs(evolved);
  }

  /** Registries accept such defaults, and Avro's library rejects them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type':'record','name':'N','fields':[{'name':'x','type':'int'}]} | {}",
        "[{'type':'record','name':'N','fields':[{'name':'x','type':'int'}]},'null'] | {}",
        "{'type':'array','items':{'type':'record','name':'N','fields':[{'name':'x','type':'int'}]}} | [{}]",
        "{'type':'record','name':'N','fields':[{'name':'o','type':{'type':'record','name':'O','fields':[{'name':'x','type':'int'}]},'default':{}}]} | {}",
      })
  void defaultThatLacksAFieldIsNeverUsed(String type, String value) throws Exception {
    Schema without = record("{'name': 'a', 'type': 'int'}");
    Schema writer =
        RegisteredSchema.parse(
            "{'type':'record','name':'R','fields':[{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': %s, 'default': %s}]}"
                .formatted(type, value)
                .replace('\'', '"'));

    SchemaLimits.DEFAULT.check(writer);
    Schema first = SchemaEvolution.initial(writer);
    Schema table = SchemaEvolution.evolve(first, without);

    assertThat(first.getField("b").hasDefaultValue()).isFalse();
    assertThat(table.getField("b").schema().isNullable()).isTrue();
    assertThat(table.getField("b").defaultVal()).isEqualTo(JsonProperties.NULL_VALUE);
    assertThat(SchemaEvolution.evolve(table, writer)).isSameAs(table);
    assertThat(
            SchemaEvolution.evolve(SchemaEvolution.initial(without), writer)
                .getField("b")
                .schema()
                .isNullable())
        .isTrue();
    Schema withKafka =
        new KafkaColumns(Set.of(KafkaColumns.Column.OFFSET), "kafka_").inFrontOf(writer);
    assertThat(SchemaEvolution.initial(withKafka).getField("b").hasDefaultValue()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'bytes' | 'x'",
        "['string','null'] | 'x'",
        "{'type':'array','items':['int','string']} | []",
        "{'type':'map','values':'int'} | {'k':1}",
        "{'type':'int','logicalType':'date'} | 1",
        "{'type':'fixed','name':'F','size':1} | 'x'",
      })
  void newFieldWhoseDefaultHiveReadsKeepsIt(String type, String value) throws Exception {
    Schema table = record("{'name': 'a', 'type': 'int'}");
    Schema writer =
        record(
            "{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': %s, 'default': %s}"
                .formatted(type, value));

    assertThat(SchemaEvolution.evolve(table, writer)).isEqualTo(writer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'bytes' | 'a\\u00ff'",
        "{'type':'fixed','name':'F','size':2} | 'a\\u00ff'",
        "{'type':'array','items':'bytes'} | ['\\u0000']",
        "{'type':'map','values':'bytes'} | {'k':'\\u0080'}",
        "{'type':'record','name':'N','fields':[{'name':'x','type':'bytes'},{'name':'y','type':['null','int']}]} | {'x':'z','y':null}",
      })
  void defaultOfBytesStays(String type, String value) throws Exception {
    Schema writer = record("{'name': 'b', 'type': %s, 'default': %s}".formatted(type, value));

    assertThat(SchemaEvolution.initial(writer)).isEqualTo(writer);
    assertThat(parse(SchemaEvolution.initial(writer).toString())).isEqualTo(writer);
  }

  @Test
  void decimalsScaleIsWrittenDown() throws Exception {
    String bare = "{'type':'bytes','logicalType':'decimal','precision':9}";
    String full = "{'type':'bytes','logicalType':'decimal','precision':9,'scale':0}";

    assertThat(SchemaEvolution.initial(field(bare))).isEqualTo(field(full));
    assertThat(SchemaEvolution.evolve(field(bare), field(bare))).isEqualTo(field(full));
    assertThat(SchemaEvolution.evolve(field(full), field(bare))).isEqualTo(field(full));
  }

  @Test
  void newFieldWithoutADefaultBecomesNullable() throws Exception {
    Schema table = record("{'name': 'a', 'type': 'int'}");
    Schema writer =
        record(
            "{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': 'string'},"
                + " {'name': 'c', 'type': ['string', 'null']}");

    assertThat(SchemaEvolution.evolve(table, writer))
        .isEqualTo(
            record(
                "{'name': 'a', 'type': 'int'},"
                    + " {'name': 'b', 'type': ['null', 'string'], 'default': null},"
                    + " {'name': 'c', 'type': ['null', 'string'], 'default': null}"));
  }

  @Test
  void fieldThatTheWriterHasNotStaysAndBecomesNullable() throws Exception {
    Schema table =
        record(
            "{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': 'string'},"
                + " {'name': 'c', 'type': 'int', 'default': 7}");
    Schema writer = record("{'name': 'a', 'type': 'int'}");

    assertThat(SchemaEvolution.evolve(table, writer))
        .isEqualTo(
            record(
                "{'name': 'a', 'type': 'int'},"
                    + " {'name': 'b', 'type': ['null', 'string'], 'default': null},"
                    + " {'name': 'c', 'type': 'int', 'default': 7}"));
  }

  @Test
  void nestedAndRepeatedRecordsGrowEverywhereAtOnce() throws Exception {
    String nested = "{'type':'record','name':'N','fields':[{'name':'x','type':'int'}]}";
    String grown =
        "{'type':'record','name':'N','fields':[{'name':'x','type':'long'},"
            + "{'name':'y','type':['null','int'],'default':null}]}";
    Schema table = record("{'name': 'a', 'type': %s}".formatted(nested));
    Schema writer =
        record(
            "{'name': 'a', 'type': %s}, {'name': 'b', 'type': {'type':'array','items':'N'},"
                    .formatted(grown)
                + " 'default': []}");

    assertThat(SchemaEvolution.evolve(table, writer)).isEqualTo(writer);
  }

  @Test
  void recursiveTypesAreMerged() throws Exception {
    Schema table = record("{'name': 'next', 'type': ['null', 'R']}");
    Schema writer =
        record(
            "{'name': 'next', 'type': ['null', 'R']}, {'name': 'a', 'type': 'int', 'default': 1}");

    assertThat(SchemaEvolution.evolve(table, writer)).isEqualTo(writer);
  }

  @Test
  void propertiesAndDocsOfTheTableStay() throws Exception {
    Schema table = record("{'name': 'a', 'type': 'int', 'doc': 'ours', 'unit': 'ms'}");
    Schema writer =
        record("{'name': 'a', 'type': 'long', 'doc': 'theirs'}, {'name': 'b', 'type': 'int'}");

    Schema.Field field = SchemaEvolution.evolve(table, writer).getField("a");

    assertThat(field.doc()).isEqualTo("ours");
    assertThat(field.getProp("unit")).isEqualTo("ms");
  }

  @Test
  void tableHasNoAliases() throws Exception {
    Schema writer = record("{'name': 'a', 'type': 'int', 'aliases': ['b']}");

    assertThat(SchemaEvolution.initial(writer).getField("a").aliases()).isEmpty();
  }

  private static Schema field(String type) {
    return record("{'name': 'f', 'type': %s}".formatted(type));
  }

  private static Schema record(String fields) {
    return parse("{'type': 'record', 'name': 'R', 'fields': [%s]}".formatted(fields));
  }

  private static Schema parse(String json) {
    return new Schema.Parser().parse(json.replace('\'', '"'));
  }
}
