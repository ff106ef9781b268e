package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.binary.MalformedDatumException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Examples of each rule of Avro's schema resolution, with the result byte for byte.
 *
 * <p>Avro's own reader must read the same value from the datum as from the result.
 */
final class SchemaResolutionTest {
  private static final Pattern FIELD = Pattern.compile("(?:^|, )'(\\w)': ");

  @ParameterizedTest(name = "{0} as {1}: {2} is {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'int'    | 'long'   | ffffffff0f           | ffffffff0f",
        "'int'    | 'float'  | 02                   | 0000803f",
        "'int'    | 'float'  | 80808010             | 0000804b",
        "'int'    | 'float'  | ffffffff0f           | 000000cf",
        "'int'    | 'double' | 01                   | 000000000000f0bf",
        "'long'   | 'float'  | ffffffffffffffffff01 | 000000df",
        "'long'   | 'double' | 02                   | 000000000000f03f",
        "'long'   | 'double' | 8080808080808020     | 0000000000004043",
        "'long'   | 'double' | ffffffffffffffffff01 | 000000000000e0c3",
        "'float'  | 'double' | 0000003f             | 000000000000e03f",
        "'float'  | 'double' | 0000c0ff             | 000000000000f8ff",
        "'string' | 'bytes'  | 04ffff               | 04ffff",
        "'bytes'  | 'string' | 026f                 | 026f"
      })
  void numberIsPromoted(String writer, String table, String datum, String expected)
      throws Exception {
    assertResolved(writer, table, datum, expected);
  }

  @ParameterizedTest(name = "{0} as {1}: {2} is {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'int'                     | ['null', 'int']            | 06     | 0206",
        "'null'                    | ['int', 'null']            | ``     | 02",
        "'int'                     | ['string', 'long']         | 06     | 0206",
        "'int'                     | ['double', 'long']         | 02     | 00000000000000f03f",
        "'int'                     | ['double', 'long', 'int']  | 02     | 0402",
        "'string'                  | ['null', 'bytes']          | 026f   | 02026f",
        "['null', 'int']           | 'int'                      | 0206   | 06",
        "['int', 'long']           | 'double'                   | 0202   | 000000000000f03f",
        "['null', 'int']           | ['int', 'null']            | 00     | 02",
        "['null', 'int']           | ['int', 'null']            | 0206   | 0006",
        "['null', 'int']           | ['int', 'null']            | 82800006 | 0006",
        "['null', 'int']           | ['null', 'double']         | 0202   | 02000000000000f03f",
        "['null', 'int', 'string'] | ['null', 'string', 'long'] | 0206   | 0406",
        "['null', 'int', 'string'] | ['null', 'string', 'long'] | 04026f | 02026f",
        "['null', 'int']           | ['null', 'string']         | 00     | 00",
        "['null', {'type': 'record', 'name': 'a.X', 'fields': []}] | [{'type': 'record', 'name': 'b.X', 'fields': []}, {'type': 'record', 'name': 'a.X', 'fields': []}] | 02 | 02"
      })
  void branchOfUnionBecomesTheTables(String writer, String table, String datum, String expected)
      throws Exception {
    assertResolved(writer, table, datum, expected);
  }

  @ParameterizedTest(name = "{0} as {1}: {2} is {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'A', 'B' | 'B', 'A'             | 00 | 02",
        "'A', 'B' | 'B', 'A'             | 02 | 00",
        "'A', 'B' | 'X', 'B', 'A'        | 00 | 04",
        "'A', 'B' | 'A'                  | 00 | 00",
        "'A', 'B' | 'A', 'C'; 'C'        | 02 | 02",
        "'A', 'B' | 'C', 'A'; 'C'        | 8000 | 02"
      })
  void symbolBecomesTheTablesOrItsDefault(
      String writer, String table, String datum, String expected) throws Exception {
    assertResolved(enumeration(writer), enumeration(table), datum, expected);
  }

  @ParameterizedTest(name = "{0} as {1}: {2} is {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'type': 'array', 'items': 'int'}  | {'type': 'array', 'items': 'float'} | 00 | 00",
        "{'type': 'array', 'items': 'int'}  | {'type': 'array', 'items': 'float'} | 04020200 | 040000803f0000803f00",
        "{'type': 'array', 'items': 'int'}  | {'type': 'array', 'items': 'float'} | 03040202020200 | 040000803f0000803f020000803f00",
        "{'type': 'array', 'items': 'null'} | {'type': 'array', 'items': ['int', 'null']} | 0600 | 0602020200",
        "{'type': 'array', 'items': 'null'} | {'type': 'array', 'items': ['int', 'null']} | 050000 | 0602020200",
        "{'type': 'array', 'items': ['null', 'int']} | {'type': 'array', 'items': 'null'} | 04000000 | 0400",
        "{'type': 'map', 'values': 'int'}   | {'type': 'map', 'values': 'float'} | 04026b02026b0400 | 04026b0000803f026b0000004000",
        "{'type': 'map', 'values': 'int'}   | {'type': 'map', 'values': 'float'} | 0106026b0200 | 02026b0000803f00"
      })
  void itemsAreRewrittenBlockByBlock(String writer, String table, String datum, String expected)
      throws Exception {
    assertResolved(writer, table, datum, expected);
  }

  @ParameterizedTest(name = "{0} as {1}: {2} is {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'a': 'int', 'b': 'string'              | 'b': 'string', 'a': 'int'              | 06026f     | 026f06",
        "'a': 'int', 'b': 'int', 'c': 'int'     | 'c': 'int', 'a': 'int', 'b': 'int'     | 020406     | 060204",
        "'a': 'int', 'b': 'int', 'c': 'int'     | 'c': 'int', 'a': 'int'                 | 020406     | 0602",
        "'a': 'int', 'b': 'int', 'c': 'int'     | 'a': 'int', 'c': 'int'                 | 020406     | 0206",
        "'a': 'int', 'b': 'int', 'c': 'int'     | 'c': 'float', 'b': 'int', 'a': 'int'   | 020402     | 0000803f0402",
        "'a': 'int', 'b': 'int', 'c': 'int'     | 'b': 'int', 'a': 'float', 'c': 'int'   | 020406     | 040000803f06",
        "'a': 'int', 'b': ['null', 'int']       | 'b': ['int', 'null'], 'a': 'int'       | 020206     | 000602",
        "'a': 'int', 'b': 'null'                | 'b': 'null', 'a': 'int'                | 02         | 02",
        "'a': 'int', 'b': 'string'              | 'a': 'int'                             | 06026f     | 06",
        "'a': 'string', 'b': 'int'              | 'b': 'int'                             | 026f06     | 06",
        "'a': 'int'                             | 'b': 'int', 'aliases': ['a'] | 06         | 06"
      })
  void fieldsAreEmittedInTheTablesOrder(String writer, String table, String datum, String expected)
      throws Exception {
    assertResolved(record(writer), record(table), datum, expected);
  }

  @ParameterizedTest(name = "{0}, by default {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'null'                            | null         | ``",
        "'boolean'                         | true         | 01",
        "'int'                             | -1           | 01",
        "'long'                            | 4294967296   | 8080808020",
        "'float'                           | 1.5          | 0000c03f",
        "'double'                          | 1            | 000000000000f03f",
        "'string'                          | 'n\u00fcl'   | 086ec3bc6c",
        "'bytes'                           | '\u00ff'     | 02ff",
        "{'type': 'fixed', 'name': 'F', 'size': 2} | '\u00ffA' | ff41",
        "{'type': 'enum', 'name': 'E', 'symbols': ['A', 'B']} | 'B' | 02",
        "{'type': 'array', 'items': 'int'} | []           | 00",
        "{'type': 'array', 'items': 'int'} | [1, 2]       | 04020400",
        "{'type': 'map', 'values': 'int'}  | {'k': 1}     | 02026b0200",
        "['null', 'int']                   | null         | 00",
        "['int', 'null']                   | 3            | 0006",
        "['null', 'int']                   | 3            | 0206",
        "{'type': 'record', 'name': 'N', 'fields': [{'name': 'x', 'type': 'int', 'default': 7}, {'name': 'y', 'type': ['null', 'N']}]} | {'y': null} | 0e00"
      })
  void fieldThatTheWriterLacksIsGivenItsDefault(String type, String value, String expected)
      throws Exception {
    String writer = "[{'name': 'a', 'type': 'int'}, {'name': 'z', 'type': 'int'}]";
    String table =
        "[{'name': 'a', 'type': 'int'}, {'name': 'd', 'type': %s, 'default': %s}, {'name': 'z', 'type': 'int'}]"
            .formatted(type, value);

    assertResolved(
        "{'type': 'record', 'name': 'R', 'fields': " + writer + '}',
        "{'type': 'record', 'name': 'R', 'fields': " + table + '}',
        "0206",
        "02" + expected + "06");
  }

  @Test
  void namesOfRecordsEnumsAndFixedMayBeAliases() throws Exception {
    String types =
        """
        {'type': 'record', 'name': '%1$sR', %2$s 'fields': [
          {'name': 'e', 'type': {'type': 'enum', 'name': '%1$sE', %3$s 'symbols': [%5$s]}},
          {'name': 'f', 'type': {'type': 'fixed', 'name': '%1$sF', %4$s 'size': 1}},
          {'name': 'next', 'type': ['null', '%1$sR']}]}
        """;

    assertResolved(
        types.formatted("old.", "", "", "", "'A', 'B'"),
        types.formatted(
            "New",
            "'aliases': ['old.R'],",
            "'aliases': ['old.E'],",
            "'aliases': ['old.F'],",
            "'B', 'A'"),
        "00ff" + "02" + "02fe00",
        "02ff" + "02" + "00fe00");
  }

  @Test
  void recordsThatHoldThemselvesAreRewrittenAtEachLevel() throws Exception {
    assertResolved(
        "{'type': 'record', 'name': 'N', 'fields': [{'name': 'v', 'type': 'int'}, {'name': 'n', 'type': ['null', 'N']}]}",
        "{'type': 'record', 'name': 'N', 'fields': [{'name': 'n', 'type': ['null', 'N']}, {'name': 'd', 'type': 'int', 'default': 9}, {'name': 'v', 'type': 'float'}]}",
        "020204020600",
        "0202" + "00" + "12" + "00004040" + "12" + "00000040" + "12" + "0000803f");
  }

  @Test
  void branchOfAnEmptyRecordOfAnotherNameIsRefusedAtItsPlace() {
    String union = "'u': 'int', 'v': ['null', {'type': 'record', 'name': '%s', 'fields': []}]";

    assertThatThrownBy(
            () -> resolve(record(union.formatted("X")), record(union.formatted("Y")), "0202"))
        .isInstanceOf(UnresolvableDatumException.class)
        .hasMessage(
            "byte 1, field \"v\": record X has another name than the reader's Y, which does not list"
                + " it as an alias");
  }

  @ParameterizedTest(name = "{0} as {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "['null', 'int'] | ['null', 'string'] | 0206 | byte 0, field \"v\": int cannot be read as [null, string]",
        "['null', 'int'] | 'int' | 00 | byte 0, field \"v\": null cannot be read as int",
        "['null', {'type': 'record', 'name': 'X', 'fields': [{'name': 'y', 'type': 'int'}]}] | ['null', {'type': 'record', 'name': 'X', 'fields': [{'name': 'y', 'type': 'string'}]}] | 0206 | byte 0, field \"v\": field \"y\": int cannot be read as string",
        "{'type': 'enum', 'name': 'E', 'symbols': ['A', 'B']} | {'type': 'enum', 'name': 'E', 'symbols': ['A']} | 02 | byte 0, field \"v\": enum symbol B is missing in the reader's enum"
      })
  void datumThatTakesWhatTheTableLacksIsRefused(
      String writer, String table, String datum, String message) {
    assertThatThrownBy(() -> resolve(record("'v': " + writer), record("'v': " + table), datum))
        .isInstanceOf(UnresolvableDatumException.class)
        .hasMessage(message);
    assertThatThrownBy(
            () ->
                AvroLibrary.decode(
                    schema(record("'v': " + writer)),
                    schema(record("'v': " + table)),
                    HexFormat.of().parseHex(datum),
                    0,
                    datum.length() / 2))
        .isInstanceOf(AvroTypeException.class);
  }

  @ParameterizedTest(name = "{0} as {1}: {2}")
  @CsvSource({
    "int,  float,  82808010,             int 16777217",
    "int,  float,  feffffff0f,           int 2147483647",
    "long, float,  82808010,             long 16777217",
    "long, float,  feffffffffffffffff01, long 9223372036854775807",
    "long, double, 8280808080808020,     long 9007199254740993",
    "long, double, 8180808080808020,     long -9007199254740993",
    "long, double, feffffffffffffffff01, long 9223372036854775807"
  })
  void numberThatWouldBeRoundedIsRefused(String from, String to, String datum, String problem) {
    assertThatThrownBy(
            () -> resolve(record("'v': '" + from + "'"), record("'v': '" + to + "'"), datum))
        .isInstanceOf(UnresolvableDatumException.class)
        .hasMessage(
            "byte 0, field \"v\": " + problem + " cannot be converted to " + to + " exactly");
  }

  private static String enumeration(String symbols) {
    String[] parts = symbols.split("; ", -1);
    return "{'type': 'enum', 'name': 'E', 'symbols': [%s]%s}"
        .formatted(parts[0], parts.length > 1 ? ", 'default': " + parts[1] : "");
  }

  /** A record of fields, such as {@code 'a': 'int', 'b': 'string'}. */
  private static String record(String fields) {
    String named = FIELD.matcher(fields).replaceAll("}, {'name': '$1', 'type': ");
    return "{'type': 'record', 'name': 'R', 'fields': [" + named.substring(3) + "}]}";
  }

  private static void assertResolved(String writer, String table, String datum, String expected)
      throws Exception {
    assertThat(resolve(writer, table, datum)).isEqualTo(expected);
    assertThat(AvroLibrary.decode(schema(table), HexFormat.of().parseHex(expected)))
        .isEqualTo(
            AvroLibrary.decode(
                schema(writer),
                schema(table),
                HexFormat.of().parseHex(datum),
                0,
                datum.length() / 2));
  }

  private static String resolve(String writer, String table, String hex)
      throws MalformedDatumException {
    byte[] datum = HexFormat.of().parseHex(hex);
    var result = new TableDatum();
    new PlanInterpreter(Planner.plan(schema(writer), schema(table), List.of()))
        .run(datum, 0, datum.length, result);
    return HexFormat.of()
        .formatHex(result.bytes(), result.offset(), result.offset() + result.length());
  }

  private static Schema schema(String json) {
    return new Schema.Parser().parse(json.replace('\'', '"'));
  }
}
