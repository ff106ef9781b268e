package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.binary.MalformedDatumException;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Examples of each type: valid datums, and the errors for invalid bytes. */
final class DatumCheckTest {
  private static final String NODE =
      """
      {'type': 'record', 'name': 'Node', 'fields': [
        {'name': 'value', 'type': 'int'},
        {'name': 'next', 'type': ['null', 'Node']}]}
      """;

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'null'                                             | ``",
        "'boolean'                                          | 00",
        "'boolean'                                          | 01",
        "'int'                                              | 00",
        "'int'                                              | feffffff0f",
        "'int'                                              | 8000",
        "'long'                                             | ffffffffffffffffff01",
        "'float'                                            | 00000000",
        "'double'                                           | 0000000000000000",
        "'bytes'                                            | 00",
        "'bytes'                                            | 04ffff",
        "'string'                                           | 026f",
        "'string'                                           | 04ffff",
        "{'type': 'fixed', 'name': 'F', 'size': 2}          | beef",
        "{'type': 'fixed', 'name': 'F', 'size': 0}          | ``",
        "{'type': 'enum', 'name': 'E', 'symbols': ['A', 'B']} | 02",
        "['null', 'int']                                    | 00",
        "['null', 'int']                                    | 0207",
        "['int', 'null']                                    | 02",
        "['null', 'string']                                 | 8000",
        "['null', 'string']                                 | 8200026f",
        "['null', 'int', 'string']                          | 04026f",
        "{'type': 'array', 'items': 'int'}                  | 00",
        "{'type': 'array', 'items': 'int'}                  | 04020400",
        "{'type': 'array', 'items': 'int'}                  | 0202020400",
        "{'type': 'array', 'items': 'int'}                  | 0304020400",
        "{'type': 'array', 'items': 'null'}                 | 0600",
        "{'type': 'array', 'items': 'null'}                 | 050000",
        "{'type': 'map', 'values': 'int'}                   | 02026b0200",
        "{'type': 'map', 'values': 'null'}                  | 02026b00"
      })
  void datumIsAccepted(String json, String hex) {
    Schema schema = schema(json);
    byte[] datum = HexFormat.of().parseHex(hex);

    assertThatCode(() -> check(schema, datum)).doesNotThrowAnyException();
    assertThatCode(() -> AvroLibrary.decode(schema, datum)).doesNotThrowAnyException();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'null'    | 00 | byte 0: 1 byte follows the end of the datum",
        "'boolean' | `` | byte 0: boolean of 1 byte, but nothing is left",
        "'boolean' | 02 | byte 0: boolean is byte 2, neither 0 nor 1",
        "'int'     | 80 | byte 0: int is cut off by the end of the datum",
        "'int'     | 8080808080 | byte 0: int is longer than 5 bytes",
        "'int'     | 8080808010 | byte 0: int does not fit 32 bits",
        "'long'    | 80808080808080808080 | byte 0: long is longer than 10 bytes",
        "'long'    | 80808080808080808002 | byte 0: long does not fit 64 bits",
        "'long'    | 0000 | byte 1: 1 byte follows the end of the datum",
        "'float'   | 000000 | byte 0: value of 4 bytes, but only 3 bytes are left",
        "'double'  | 00000000000000 | byte 0: value of 8 bytes, but only 7 bytes are left",
        "'bytes'   | 0400 | byte 0: length 2, but only 1 byte is left",
        "'bytes'   | 0100 | byte 0: length -1 is negative",
        "'string'  | feffffffffffffffff01 | byte 0: length 9223372036854775807, but nothing is left",
        "{'type': 'fixed', 'name': 'F', 'size': 2} | be | byte 0: value of 2 bytes, but only 1 byte is left",
        "{'type': 'enum', 'name': 'E', 'symbols': ['A', 'B']} | 04 | byte 0: enum index 2, but the enum has 2 symbols",
        "{'type': 'enum', 'name': 'E', 'symbols': ['A', 'B']} | 01 | byte 0: enum index -1, but the enum has 2 symbols",
        "['null', 'int']           | 0e00   | byte 0: union index 7, but the union has 2 branches",
        "['null', 'string']        | 01     | byte 0: union index -1, but the union has 2 branches",
        "['null', 'int', 'string'] | 06     | byte 0: union index 3, but the union has 3 branches",
        "{'type': 'array', 'items': 'int'} | 0402 | byte 0: block of 2 items, but only 1 byte is left",
        "{'type': 'array', 'items': 'int'} | 0202 | byte 2: long is cut off by the end of the datum",
        "{'type': 'array', 'items': 'int'} | 0202ff80 | byte 2: long is cut off by the end of the datum",
        "{'type': 'array', 'items': 'int'} | 02ff80 | byte 1, field \"[]\": int is cut off by the end of the datum",
        "{'type': 'array', 'items': 'int'} | 01040000 | byte 3: block has 1 byte fewer than its size field says",
        "{'type': 'array', 'items': 'int'} | 01080000 | byte 1: block of 4 bytes, but only 2 bytes are left",
        "{'type': 'array', 'items': 'int'} | 01010000 | byte 1: block of -1 bytes, but only 2 bytes are left",
        "{'type': 'array', 'items': 'int'} | ffffffffffffffffff010000 | byte 0: block of -9223372036854775808 items, but only 1 byte is left",
        "{'type': 'array', 'items': 'null'} | 01020000 | byte 0: block size is not 0, but its items take no bytes",
        "{'type': 'map', 'values': 'int'}  | 02026b80 | byte 3, field \"{}\": int is cut off by the end of the datum"
      })
  void malformedDatumIsRefusedAtItsPlace(String json, String hex, String message) {
    assertThatThrownBy(() -> check(schema(json), HexFormat.of().parseHex(hex)))
        .isInstanceOf(MalformedDatumException.class)
        .hasMessage(message);
  }

  @Test
  void faultNamesFieldInTheMiddleOfNeighbours() {
    Schema schema =
        schema(
            """
            {'type': 'record', 'name': 'R', 'fields': [
              {'name': 'a', 'type': 'string'}, {'name': 'b', 'type': 'string'}, {'name': 'c', 'type': 'string'},
              {'name': 'd', 'type': 'float'}, {'name': 'e', 'type': 'double'}, {'name': 'f', 'type': 'float'}]}
            """);

    assertThatThrownBy(() -> check(schema, HexFormat.of().parseHex("0001")))
        .hasMessage("byte 1, field \"b\": length -1 is negative");
    assertThatThrownBy(() -> check(schema, HexFormat.of().parseHex("0000000000000000")))
        .hasMessage("byte 7, field \"e\": value of 8 bytes, but only 1 byte is left");
  }

  @Test
  void nullMayStandOnEitherSideOfNeighbours() throws Exception {
    Schema schema =
        schema(
            """
            {'type': 'record', 'name': 'R', 'fields': [
              {'name': 'a', 'type': ['null', 'string']}, {'name': 'b', 'type': ['string', 'null']},
              {'name': 'c', 'type': ['null', 'bytes']}]}
            """);

    check(schema, HexFormat.of().parseHex("00" + "02" + "00"));
    check(schema, HexFormat.of().parseHex("02026f" + "00026f" + "02026f"));
  }

  @Test
  void faultNamesPathThroughRecordsArraysAndMaps() {
    Schema schema =
        schema(
            """
            {'type': 'record', 'name': 'R', 'fields': [{'name': 'legs', 'type': {'type': 'array', 'items':
              {'type': 'record', 'name': 'Leg', 'fields': [{'name': 'fees', 'type': {'type': 'map', 'values':
                {'type': 'record', 'name': 'Fee', 'fields': [{'name': 'paid', 'type': 'boolean'}]}}}]}}}]}
            """);

    assertThatThrownBy(() -> check(schema, HexFormat.of().parseHex("0202026b09")))
        .hasMessage("byte 4, field \"legs[].fees{}.paid\": boolean is byte 9, neither 0 nor 1");
  }

  @Test
  void faultNamesPathThroughRecursion() {
    assertThatThrownBy(() -> check(schema(NODE), HexFormat.of().parseHex("020202020480")))
        .isInstanceOfSatisfying(
            MalformedDatumException.class,
            e -> {
              assertThat(e.fieldPath()).isEqualTo("next.next.next");
              assertThat(e.byteOffset()).isEqualTo(5);
            });
  }

  @Test
  void recursionIsReadToTheDepthAllowedAndNoFurther() throws Exception {
    byte[] deepest = list(256);
    check(schema(NODE), deepest);
    AvroLibrary.decode(schema(NODE), deepest);

    assertThatThrownBy(() -> check(schema(NODE), list(257)))
        .isInstanceOf(MalformedDatumException.class)
        .hasMessageStartingWith("byte 512, field \"next.next.")
        .hasMessageEndingWith("nested deeper than 256 levels");
    assertThatThrownBy(() -> check(schema(NODE), list(1_000_000)))
        .isInstanceOf(MalformedDatumException.class);
  }

  @Test
  void recordThatCannotEndIsRefused() {
    Schema endless =
        schema("{'type': 'record', 'name': 'R', 'fields': [{'name': 'r', 'type': 'R'}]}");

    assertThatThrownBy(() -> check(endless, new byte[0]))
        .hasMessageEndingWith("nested deeper than 256 levels");
    assertThatThrownBy(() -> check(Schema.createArray(endless), new byte[] {2, 0}))
        .hasMessageEndingWith("nested deeper than 256 levels");
  }

  @Test
  void billionNullsInSixBytesAreRefusedAtOnce() {
    Schema nulls = schema("{'type': 'array', 'items': 'null'}");
    Schema nested = Schema.createArray(nulls);

    assertThatThrownBy(() -> check(nulls, HexFormat.of().parseHex("80a8d6b90700")))
        .hasMessage("byte 0: more than 1048576 items that take no bytes");
    assertThatThrownBy(() -> check(nulls, HexFormat.of().parseHex("ffffffffffffffffff010000")))
        .hasMessage("byte 0: more than 1048576 items that take no bytes");
    assertThatThrownBy(() -> check(nested, HexFormat.of().parseHex("048080800100" + "020000")))
        .hasMessage("byte 6, field \"[]\": more than 1048576 items that take no bytes");
  }

  @Test
  void recordsWithoutBytesCostNothingHoweverOftenTheyHoldEachOther() throws Exception {
    Schema empty = Schema.createRecord("R0", null, "test", false, List.of());
    for (int i = 1; i <= 60; i++) {
      empty =
          Schema.createRecord(
              "R" + i,
              null,
              "test",
              false,
              List.of(new Schema.Field("a", empty), new Schema.Field("b", empty)));
    }

    check(empty, new byte[0]);
    check(Schema.createArray(empty), new byte[] {8, 0});
  }

  @Test
  void goodDatumCostsNoAllocation() throws Exception {
    var random = new RandomAvro(7);
    Schema schema =
        new Schema.Parser().parse(Path.of("src/test/resources/all-types.avsc").toFile());
    byte[] datum = AvroLibrary.encode(schema, random.datum(schema));
    var interpreter = new PlanInterpreter(Planner.plan(schema, schema, List.of("time", "maybe")));
    var result = new TableDatum();
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int records = 10_000;
    for (int i = 0; i < records; i++) {
      interpreter.run(datum, 0, datum.length, result);
    }

    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < records; i++) {
      interpreter.run(datum, 0, datum.length, result);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(allocated / records).isZero();
  }

  @Test
  void rangeOutsideOfTheArrayIsTheCallersFault() {
    var interpreter =
        new PlanInterpreter(Planner.plan(schema("'int'"), schema("'int'"), List.of()));

    assertThatThrownBy(() -> interpreter.run(new byte[4], 2, Integer.MAX_VALUE, new TableDatum()))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static byte[] list(int nodes) throws java.io.IOException {
    var out = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    for (int i = 1; i <= nodes; i++) {
      encoder.writeInt(i % 60);
      encoder.writeIndex(i < nodes ? 1 : 0);
    }
    return out.toByteArray();
  }

  private static void check(Schema schema, byte[] datum) throws MalformedDatumException {
    new PlanInterpreter(Planner.plan(schema, schema, List.of()))
        .run(datum, 0, datum.length, new TableDatum());
  }

  private static Schema schema(String json) {
    return new Schema.Parser().parse(json.replace('\'', '"'));
  }
}
