package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.merge.MergedSchema;
import io.tidemark.avro.merge.UnmergeableSchemasException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Merges of mapped schemas: a column never has values of two kinds, and accepts all its writers.
 */
final class MappedMergesTest {
  private static final String MICROS = logical("long", "timestamp-micros");
  private static final String MILLIS = logical("long", "timestamp-millis");
  private static final SchemaMapping HIVE = SchemaMapping.builder().set("hive").build();
  private static final SchemaMapping ICEBERG = SchemaMapping.builder().set("iceberg").build();
  private static final SchemaMapping NUMBERS =
      SchemaMapping.builder()
          .type("timestamp-micros", "long")
          .type("timestamp-millis", "long")
          .build();
  private static final SchemaMapping MASKED = SchemaMapping.builder().mask("a", "?").build();

  private static String logical(String type, String logical) {
    return "{\"type\": \"%s\", \"logicalType\": \"%s\"}".formatted(type, logical);
  }

  private static Schema record(String type) {
    return new Schema.Parser()
        .parse(
            """
            {"type": "record", "name": "R", "fields": [{"name": "a", "type": %s}]}\
            """
                .formatted(type));
  }

  private static Schema first(SchemaMapping mapping, String type)
      throws UnmergeableSchemasException {
    return MergedSchema.first(mapping.schema(record(type))).schema();
  }

  static Stream<Arguments> unitsThatDiffer() {
    return Stream.of(
        Arguments.of(HIVE, MICROS, HIVE, "\"long\""),
        Arguments.of(HIVE, "\"long\"", HIVE, MICROS),
        Arguments.of(HIVE, "[\"null\", " + MICROS + "]", HIVE, "\"long\""),
        Arguments.of(NUMBERS, MICROS, HIVE, MICROS),
        Arguments.of(HIVE, MICROS, NUMBERS, MICROS),
        Arguments.of(ICEBERG, logical("int", "time-millis"), ICEBERG, "\"long\""),
        Arguments.of(ICEBERG, "\"long\"", ICEBERG, logical("int", "time-millis")));
  }

  @ParameterizedTest
  @MethodSource("unitsThatDiffer")
  void numbersOfTwoUnitsHaveNoColumn(
      SchemaMapping before, String earlier, SchemaMapping now, String later) throws Exception {
    Schema table = first(before, earlier);
    Schema writer = now.schema(record(later));

    assertThatThrownBy(() -> MergedSchema.of(table, writer))
        .isInstanceOf(UnmergeableSchemasException.class)
        .hasMessageContaining("Field R.a: the table has")
        .hasMessageContaining("one of the two has been converted to another unit (types.*)");
  }

  @Test
  void convertedTimesShareTheColumnOfTimesOfThatType() throws Exception {
    Schema table = first(HIVE, MILLIS);
    Schema both = MergedSchema.of(table, HIVE.schema(record(MICROS))).schema();

    assertThat(MergedSchema.of(both, HIVE.schema(record(MILLIS))).schema()).isSameAs(both);
    assertThat(MergedSchema.of(both, HIVE.schema(record(MICROS))).schema()).isSameAs(both);
    assertThatThrownBy(() -> MergedSchema.of(both, record("\"long\"")))
        .isInstanceOf(UnmergeableSchemasException.class);
    // Without new columns, the columns stay as they are.
    assertThat(MergedSchema.withoutNewFields(table, HIVE.schema(record(MICROS))).schema())
        .isSameAs(table);
  }

  @Test
  void logicalTypeOfNumbersThatStayMayBeDropped() throws Exception {
    Schema table = first(HIVE, MILLIS);

    assertThat(MergedSchema.of(table, HIVE.schema(record("\"long\""))).schema()).isSameAs(table);
    assertThat(MergedSchema.of(table, NUMBERS.schema(record(MILLIS))).schema()).isSameAs(table);
  }

  @ParameterizedTest
  @CsvSource({
    "int, long",
    "int, float",
    "int, double",
    "float, double",
    "long, int",
    "double, float"
  })
  void maskedAndOtherNumbersHaveNoColumn(String earlier, String later) throws Exception {
    String problem = "one of the two is hashed or masked (fields.hash, fields.mask)";
    Schema masked = MASKED.schema(record(quoted(later)));
    Schema plain = record(quoted(later));
    Schema ofMasked = first(MASKED, quoted(earlier));
    Schema ofPlain = first(SchemaMapping.NONE, quoted(earlier));

    assertThatThrownBy(() -> MergedSchema.of(ofMasked, plain)).hasMessageContaining(problem);
    assertThatThrownBy(() -> MergedSchema.of(ofPlain, masked)).hasMessageContaining(problem);
  }

  @ParameterizedTest
  @CsvSource({"int, long", "int, float", "int, double", "float, double"})
  void maskedNumberLandsInAWiderColumn(String earlier, String later) throws Exception {
    Schema table =
        MergedSchema.of(first(MASKED, quoted(earlier)), MASKED.schema(record(quoted(later))))
            .schema();
    for (String type : List.of(earlier, later)) {
      Schema writer = record(quoted(type));
      var row = new GenericData.Record(writer);
      row.put("a", number(type));
      var runs = new MappingRuns(MASKED.plan(writer, table, List.of("a")));

      byte[] landed = HexFormat.of().parseHex(runs.run(AvroLibrary.encode(writer, row)).bytes());
      assertThat(String.valueOf(AvroLibrary.decode(table, landed))).matches("\\{\"a\": 0(\\.0)?}");
    }
  }

  @Test
  void unionOfNoTypesIsMerged() throws Exception {
    Schema writer = record("[]");

    assertThat(MergedSchema.first(writer).schema()).isEqualTo(writer);
  }

  /** Avro's parser accepts them, and its library has no object for them. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'type': 'map', 'values': ['null', 'int']} | {'k': 5}",
        "{'type': 'array', 'items': ['null', 'string']} | ['text']",
        "{'type': 'map', 'values': ['null', {'type': 'array', 'items': 'int'}]} | {'k': [5]}",
        "[] | 1"
      })
  void defaultOfALaterBranchIsDropped(String type, String value) throws Exception {
    Schema writer =
        new Schema.Parser()
            .setValidateDefaults(false)
            .parse(
                """
                {"type": "record", "name": "R", "fields": [
                  {"name": "b", "type": "int"}, {"name": "a", "type": %s, "default": %s}]}\
                """
                    .formatted(type, value)
                    .replace('\'', '"'));
    MergedSchema table = MergedSchema.first(writer);
    Schema earlier =
        new Schema.Parser().parse(writer.toString().replaceAll(",.\"name\":\"a\".*", "]}"));

    assertThat(table.schema().getField("a").hasDefaultValue()).isFalse();
    assertThat(MergedSchema.of(earlier, writer).lost()).containsOnlyKeys("R.a");
  }

  private static String quoted(String type) {
    return '"' + type + '"';
  }

  private static Object number(String type) {
    return switch (type) {
      case "int" -> 7;
      case "long" -> 7L;
      case "float" -> 7f;
      default -> 7d;
    };
  }
}
