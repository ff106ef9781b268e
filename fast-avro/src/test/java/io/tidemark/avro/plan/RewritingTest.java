package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.RandomAvro;
import io.tidemark.avro.binary.MalformedDatumException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** The cost of rewriting, its limits, and the positions of captured fields. */
final class RewritingTest {

  @Test
  void billionNullsInSixBytesAreRefusedAtOnce() {
    var interpreter =
        interpreter(
            "{'type': 'array', 'items': 'null'}", "{'type': 'array', 'items': ['null', 'int']}");

    assertThatThrownBy(() -> run(interpreter, "80a8d6b90700"))
        .isInstanceOf(MalformedDatumException.class)
        .hasMessage("byte 0: more than 1048576 items that take no bytes");
    assertThatThrownBy(() -> run(interpreter, "ffffffffffffffffff010000"))
        .hasMessage("byte 0: more than 1048576 items that take no bytes");
  }

  @Test
  void itemsThatLoseAllTheirBytesAreCountedAsEmpty() throws Exception {
    var interpreter =
        interpreter(
            "{'type': 'array', 'items': {'type': 'record', 'name': 'R', 'fields': [{'name': 'a', 'type': 'int'}]}}",
            "{'type': 'array', 'items': {'type': 'record', 'name': 'R', 'fields': []}}");

    assertThat(run(interpreter, ints(1 << 20))).isEqualTo("8080800100");
    assertThatThrownBy(() -> run(interpreter, ints((1 << 20) + 1)))
        .hasMessage("byte 0: more than 1048576 items that take no bytes");
  }

  @Test
  void datumThatWouldGrowBeyondMeasureIsRefusedAndTheNextIsNot() throws Exception {
    var interpreter =
        interpreter(
            "{'type': 'array', 'items': {'type': 'record', 'name': 'R', 'fields': []}}",
            "{'type': 'array', 'items': {'type': 'record', 'name': 'R', 'fields': [{'name': 'a', 'type': 'string', 'default': '%s'}]}}"
                .formatted("x".repeat(1000)));

    assertThat(run(interpreter, "02" + "00")).hasSize(2 * (1 + 2 + 1000 + 1));
    assertThat(run(interpreter, "8001" + "00")).hasSize(2 * (2 + 64 * 1002 + 1));
    for (String items : List.of("8401", "80f401", "80808001")) {
      int growth = (1 << 16) + 64 * (items.length() / 2 + 1);
      assertThatThrownBy(() -> run(interpreter, items + "00"))
          .isInstanceOf(UnresolvableDatumException.class)
          .hasMessageEndingWith("the datum would be more than " + growth + " bytes longer");
    }
    assertThat(run(interpreter, "02" + "00")).hasSize(2 * (1 + 2 + 1000 + 1));
  }

  @Test
  void malformedDatumIsRefusedAtItsPlace() {
    var interpreter =
        interpreter(
            "{'type': 'record', 'name': 'R', 'fields': [{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': 'boolean'}, {'name': 'c', 'type': 'float'}]}",
            "{'type': 'record', 'name': 'R', 'fields': [{'name': 'c', 'type': 'double'}, {'name': 'new', 'type': 'float', 'aliases': ['a']}]}");

    assertThatThrownBy(() -> run(interpreter, "80"))
        .hasMessage("byte 0, field \"new\": int is cut off by the end of the datum");
    assertThatThrownBy(() -> run(interpreter, "0207"))
        .hasMessage("byte 1, field \"b\": boolean is byte 7, neither 0 nor 1");
    assertThatThrownBy(() -> run(interpreter, "0201000000"))
        .hasMessage("byte 2, field \"c\": value of 4 bytes, but only 3 bytes are left");
    assertThatThrownBy(() -> run(interpreter, "0201" + "00000000" + "00"))
        .hasMessage("byte 6: 1 byte follows the end of the datum");
  }

  @Test
  void capturedFieldsAreFoundWhereTheyWereMovedTo() throws Exception {
    Schema writer =
        schema(
            """
            {'type': 'record', 'name': 'R', 'fields': [
              {'name': 'a', 'type': 'string'},
              {'name': 'n', 'type': ['null', {'type': 'record', 'name': 'N', 'fields': [
                {'name': 'x', 'type': 'string'}, {'name': 'y', 'type': 'int'}]}]},
              {'name': 'z', 'type': 'int'}]}
            """);
    Schema table =
        schema(
            """
            {'type': 'record', 'name': 'R', 'fields': [
              {'name': 'z', 'type': 'int'},
              {'name': 'd', 'type': {'type': 'record', 'name': 'D', 'fields': [{'name': 'e', 'type': ['string', 'null']}]},
               'default': {'e': 'def'}},
              {'name': 'n', 'type': ['null', {'type': 'record', 'name': 'N', 'fields': [
                {'name': 'y', 'type': 'long'}, {'name': 'x', 'type': 'string'}]}]},
              {'name': 'a', 'type': 'string'}]}
            """);
    var paths = List.of("a", "n.x", "n.y", "n", "z", "d.e", "d");
    var interpreter = new PlanInterpreter(Planner.plan(writer, table, paths));
    var result = new TableDatum();
    byte[] datum = HexFormat.of().parseHex("0461ff" + "02" + "0478ff" + "0e" + "10");

    interpreter.run(datum, 0, datum.length, result);

    assertThat(hex(result, 0, result.length()))
        .isEqualTo("10" + "0006646566" + "02" + "0e" + "0478ff" + "0461ff");
    assertThat(
            IntStream.range(0, paths.size())
                .mapToObj(i -> hex(result, result.fieldOffset(i), result.fieldLength(i))))
        .containsExactly("0461ff", "0478ff", "0e", "0e0478ff", "10", "06646566", "0006646566");

    datum = HexFormat.of().parseHex("026f" + "00" + "10");
    interpreter.run(datum, 0, datum.length, result);

    assertThat(result.hasField(1)).isFalse();
    assertThat(result.hasField(3)).isFalse();
    assertThat(hex(result, result.fieldOffset(0), result.fieldLength(0))).isEqualTo("026f");
  }

  @Test
  void fieldThatSeveralBranchesBecomeIsFoundWhereItWasMovedTo() throws Exception {
    Schema writer =
        schema(
            """
            {'type': 'record', 'name': 'R', 'fields': [
              {'name': 'a', 'type': 'string'}, {'name': 'b', 'type': ['int', 'float']}]}
            """);
    Schema table =
        schema(
            """
            {'type': 'record', 'name': 'R', 'fields': [
              {'name': 'b', 'type': ['null', 'float']}, {'name': 'a', 'type': 'string'}]}
            """);
    var interpreter = new PlanInterpreter(Planner.plan(writer, table, List.of("b", "a")));
    var result = new TableDatum();
    byte[] datum = HexFormat.of().parseHex("026f" + "0002");

    interpreter.run(datum, 0, datum.length, result);

    assertThat(hex(result, 0, result.length())).isEqualTo("02" + "0000803f" + "026f");
    assertThat(hex(result, result.fieldOffset(0), result.fieldLength(0))).isEqualTo("0000803f");
    assertThat(hex(result, result.fieldOffset(1), result.fieldLength(1))).isEqualTo("026f");
  }

  @Test
  void thousandFieldsInAnotherOrderAreRewritten() throws Exception {
    var random = new RandomAvro(11);
    var types =
        List.of(
            Schema.create(Schema.Type.STRING),
            Schema.create(Schema.Type.INT),
            Schema.createUnion(Schema.create(Schema.Type.NULL), Schema.create(Schema.Type.DOUBLE)));
    var names = new ArrayList<>(IntStream.range(0, 1000).boxed().toList());
    Schema writer = wide(names, types);
    Collections.shuffle(names, random.random());
    for (List<Integer> order : List.of(names, names.subList(0, 500))) {
      Schema table = wide(order, types);
      var reading = new TableReading(Planner.plan(writer, table, List.of("f" + order.get(7))));

      assertThat(reading.read(AvroLibrary.encode(writer, random.datum(writer)))).isTrue();
    }
  }

  @Test
  void recordsThatEmitNothingCostNothingHoweverOftenTheyHoldEachOther() throws Exception {
    String writer =
        holding("{'type': 'record', 'name': 'R0', 'fields': [{'name': 'gone', 'type': 'null'}]}");
    String table = holding("{'type': 'record', 'name': 'R0', 'fields': []}");

    assertThat(run(interpreter(writer, table), "")).isEmpty();
  }

  @Test
  void goodDatumCostsNoAllocation() throws Exception {
    String fields =
        "{'type': 'record', 'name': 'R', 'fields': [%s{'name': 'next', 'type': ['null', 'R']}]}";
    var interpreter =
        interpreter(
            fields.formatted(
                "{'name': 'a', 'type': 'int'}, {'name': 'b', 'type': {'type': 'array', 'items': 'int'}}, {'name': 'c', 'type': 'string'},"),
            fields.formatted(
                "{'name': 'c', 'type': 'string'}, {'name': 'd', 'type': 'int', 'default': 7}, {'name': 'b', 'type': {'type': 'array', 'items': 'float'}}, {'name': 'a', 'type': 'long'},"));
    byte[] datum =
        HexFormat.of().parseHex("02" + "04020400" + "026f" + "02" + "06" + "00" + "00" + "00");
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

    assertThat((threads.getCurrentThreadAllocatedBytes() - before) / records).isZero();
  }

  /** Sixty records. Each contains the previous one twice. */
  private static String holding(String innermost) {
    String schema = innermost;
    for (int i = 1; i <= 60; i++) {
      schema =
          "{'type': 'record', 'name': 'R%d', 'fields': [{'name': 'a', 'type': %s}, {'name': 'b', 'type': 'R%d'}]}"
              .formatted(i, schema, i - 1);
    }
    return schema;
  }

  private static Schema wide(List<Integer> names, List<Schema> types) {
    return Schema.createRecord(
        "Wide",
        null,
        "test",
        false,
        names.stream()
            .map(i -> new Schema.Field("f" + i, types.get(i % types.size()), null, (Object) null))
            .toList());
  }

  /** An array of zeros, in hexadecimal. */
  private static String ints(int count) throws IOException {
    var out = new ByteArrayOutputStream();
    var encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    encoder.writeInt(count);
    for (int i = 0; i <= count; i++) {
      encoder.writeInt(0);
    }
    return HexFormat.of().formatHex(out.toByteArray());
  }

  private static PlanInterpreter interpreter(String writer, String table) {
    return new PlanInterpreter(Planner.plan(schema(writer), schema(table), List.of()));
  }

  private static String run(PlanRunner runner, String hex) throws MalformedDatumException {
    byte[] datum = HexFormat.of().parseHex(hex);
    var result = new TableDatum();
    runner.run(datum, 0, datum.length, result);
    return hex(result, result.offset(), result.length());
  }

  private static String hex(TableDatum datum, int offset, int length) {
    return HexFormat.of().formatHex(datum.bytes(), offset, offset + length);
  }

  private static Schema schema(String json) {
    return new Schema.Parser().parse(json.replace('\'', '"'));
  }
}
