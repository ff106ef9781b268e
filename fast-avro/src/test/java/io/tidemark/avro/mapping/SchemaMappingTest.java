package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaMappingTest {
  private static final Schema ORDER =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Order", "namespace": "shop", "fields": [
                {"name": "id", "type": {"type": "string", "logicalType": "uuid"}},
                {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
                {"name": "side", "type": {"type": "enum", "name": "Side", "symbols": ["BUY", "SELL"]},
                 "default": "SELL"},
                {"name": "customer", "type": ["null", {"type": "record", "name": "Customer", "fields": [
                  {"name": "name", "type": "string"},
                  {"name": "ssn", "type": ["null", "string"], "default": null},
                  {"name": "age", "type": "int"}]}], "default": null}]}\
              """);

  private static GenericRecord order(long at) {
    var customer = new GenericData.Record(ORDER.getField("customer").schema().getTypes().get(1));
    customer.put("name", "Ann");
    customer.put("ssn", "078-05-1120");
    customer.put("age", 44);
    var order = new GenericData.Record(ORDER);
    order.put("id", "6ba7b810-9dad-11d1-80b4-00c04fd430c8");
    order.put("at", at);
    order.put("side", new GenericData.EnumSymbol(ORDER.getField("side").schema(), "BUY"));
    order.put("customer", customer);
    return order;
  }

  private static String mapped(SchemaMapping mapping, GenericRecord order) throws Exception {
    Schema schema = mapping.schema(ORDER);
    var runs = new MappingRuns(mapping.plan(ORDER, schema, List.of()));
    byte[] bytes = HexFormat.of().parseHex(runs.run(AvroLibrary.encode(ORDER, order)).bytes());
    return String.valueOf(AvroLibrary.decode(schema, bytes));
  }

  @Test
  void withoutRulesThePlanIsThatOfThePlanner() {
    Plan plan = SchemaMapping.NONE.plan(ORDER, ORDER, List.of("at"));

    assertThat(SchemaMapping.NONE.schema(ORDER)).isSameAs(ORDER);
    assertThat(plan).isEqualTo(Planner.plan(ORDER, ORDER, List.of("at")));
  }

  @Test
  void schemaThatNoRuleConcernsStaysAndIsCopied() {
    SchemaMapping mapping =
        SchemaMapping.builder().type("decimal", "bytes").exclude("absent.field").build();

    assertThat(mapping.schema(ORDER)).isSameAs(ORDER);
    assertThat(mapping.plan(ORDER, ORDER, List.of()).copies()).isTrue();
  }

  @Test
  void datumsAreCopiedIfOnlyLogicalTypesChange() {
    SchemaMapping mapping =
        SchemaMapping.builder().type("uuid", "string").type("timestamp-micros", "long").build();
    Schema schema = mapping.schema(ORDER);

    assertThat(schema.getField("id").schema()).isEqualTo(Schema.create(Schema.Type.STRING));
    assertThat(schema.getField("at").schema()).isEqualTo(Schema.create(Schema.Type.LONG));
    assertThat(mapping.plan(ORDER, schema, List.of()).copies()).isTrue();
  }

  @Test
  void defaultOfADecimalIsConverted() {
    Schema record =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "R", "fields": [{"name": "a", "default": "\\u0000\\u00ff",
                 "type": {"type": "fixed", "name": "F", "size": 2, "logicalType": "decimal",
                          "precision": 4}}]}\
                """);
    Schema mapped = SchemaMapping.builder().type("decimal", "bytes").build().schema(record);

    assertThat(mapped.getField("a").defaultVal()).isEqualTo(new byte[] {0, -1});
  }

  @Test
  void defaultsAreConverted() {
    Schema schema = SchemaMapping.builder().type("enum", "string").build().schema(ORDER);

    assertThat(schema.getField("side").defaultVal()).isEqualTo("SELL");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void defaultThatLacksAFieldIsDropped(boolean elsewhere) {
    Schema writer =
        new Schema.Parser()
            .setValidateDefaults(false)
            .parse(
                """
                {"type": "record", "name": "R", "fields": [
                  {"name": "c", "default": {}, "type": {"type": "record", "name": "C", "fields": [
                    {"name": "a", "type": {"type": "string"%s}}]}},
                  {"name": "e", "type": {"type": "string", "logicalType": "uuid"}}]}\
                """
                    .formatted(elsewhere ? "" : ", \"logicalType\": \"uuid\""));

    Schema mapped = SchemaMapping.builder().type("uuid", "string").build().schema(writer);

    assertThat(mapped.getField("c").hasDefaultValue()).isFalse();
    assertThat(mapped.getField("e").schema().getLogicalType()).isNull();
  }

  @Test
  void fieldsAreLeftOutHashedAndMasked() throws Exception {
    SchemaMapping mapping =
        SchemaMapping.builder()
            .exclude("at")
            .hash("customer.ssn", "pepper")
            .mask("customer.name", "***")
            .mask("customer.age", "")
            .build();
    var digest = MessageDigest.getInstance("SHA-256");
    String hash =
        HexFormat.of()
            .formatHex(digest.digest("pepper078-05-1120".getBytes(StandardCharsets.UTF_8)));

    assertThat(mapped(mapping, order(1)))
        .isEqualTo(
            """
            {"id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "side": "BUY", "customer": {"name": "***", "ssn": "%s", "age": 0}}\
            """
                .formatted(hash));
  }

  @Test
  void onlyIncludedFieldsAreKept() throws Exception {
    SchemaMapping mapping = SchemaMapping.builder().include("customer.age").include("side").build();

    assertThat(mapped(mapping, order(1)))
        .isEqualTo("{\"side\": \"BUY\", \"customer\": {\"age\": 44}}");
  }

  @Test
  void timesAreRoundedDownOnlyIfPermitted() throws Exception {
    var rules = SchemaMapping.builder().type("timestamp-micros", "timestamp-millis");
    SchemaMapping exact = rules.build();
    SchemaMapping rounded = rules.truncate().build();

    assertThat(mapped(exact, order(-5000))).contains("\"at\": -5,");
    assertThat(mapped(rounded, order(-5001))).contains("\"at\": -6,");
    assertThatThrownBy(() -> mapped(exact, order(-5001)))
        .hasMessage(
            "byte 37, field \"at\": the number -5001 cannot be converted from timestamp-micros to"
                + " timestamp-millis exactly");
  }

  @ParameterizedTest
  @CsvSource({"false, 9, 999.99, true", "false, 9, 1000.00, false", "true, 9, 1000.00, true"})
  void decimalOfFixedThatIsTooWideIsNarrowedOrText(
      boolean asText, int size, BigDecimal number, boolean fits) throws Exception {
    Schema writer =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "R", "fields": [{"name": "d", "type":
                  {"type": "fixed", "name": "D", "size": %d, "logicalType": "decimal",
                   "precision": 7, "scale": 2}}]}\
                """
                    .formatted(size));
    SchemaMapping mapping =
        SchemaMapping.builder().type("decimal", "bytes").decimals(5, asText).build();
    Schema mapped = mapping.schema(writer);
    Schema decimal = writer.getField("d").schema();
    var row = new GenericData.Record(writer);
    row.put(
        "d",
        new Conversions.DecimalConversion().toFixed(number, decimal, decimal.getLogicalType()));
    byte[] datum = AvroLibrary.encode(writer, row);
    var runs = new MappingRuns(mapping.plan(writer, mapped, List.of("d")));

    if (fits) {
      var made =
          (GenericRecord)
              Objects.requireNonNull(
                  AvroLibrary.decode(mapped, HexFormat.of().parseHex(runs.run(datum).bytes())));
      assertThat(
              asText
                  ? new BigDecimal(String.valueOf(made.get("d")))
                  : new BigDecimal(new BigInteger(((ByteBuffer) made.get("d")).array()), 2))
          .isEqualTo(number);
    } else {
      assertThatThrownBy(() -> runs.run(datum))
          .hasMessage("byte 0, field \"d\": a decimal of 9 bytes has not 1 to 5 digits");
    }
  }

  @Test
  void recordInItselfBecomesJson() throws Exception {
    Schema node =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Node", "fields": [
                  {"name": "name", "type": "string"},
                  {"name": "prices", "type": {"type": "map", "values": "double"}},
                  {"name": "next", "type": ["null", "Node"]},
                  {"name": "more", "type": {"type": "array", "items": "Node"}}]}\
                """);
    SchemaMapping json = SchemaMapping.builder().type("recursion", "json").build();
    Schema mapped = json.schema(node);
    var last = node("say \"ü\"\u0001", node, Map.of("a", 0.5, "b", Double.NaN), null);
    byte[] datum = AvroLibrary.encode(node, node("first", node, Map.of(), last));

    var runs = new MappingRuns(json.plan(node, mapped, List.of("next")));
    var row =
        (GenericRecord)
            Objects.requireNonNull(
                AvroLibrary.decode(mapped, HexFormat.of().parseHex(runs.run(datum).bytes())));

    assertThat(mapped.getField("next").schema().toString()).isEqualTo("[\"null\",\"string\"]");
    assertThat(String.valueOf(row.get("next")))
        .isEqualTo(
            """
            {"name":"say \\"ü\\"\\u0001","prices":{"a":0.5,"b":"NaN"},"next":null,"more":[]}\
            """);
    assertThat((List<?>) row.get("more"))
        .extracting(String::valueOf)
        .containsExactly(String.valueOf(row.get("next")));
    assertThatThrownBy(
            () ->
                SchemaMapping.builder()
                    .type("recursion", "json")
                    .exclude("name")
                    .exclude("next.name")
                    .exclude("more.name")
                    .build()
                    .schema(node))
        .isInstanceOf(UnmappableSchemaException.class);
    assertThatThrownBy(
            () -> SchemaMapping.builder().type("recursion", "refuse").build().schema(node))
        .hasMessage(
            "field \"next\": the record Node contains itself, which the rules do not permit");
  }

  @Test
  void decimalOfAHugeScaleIsTextOfItsBytesInJson() throws Exception {
    Schema node =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Node", "fields": [
                  {"name": "d", "type": {"type": "bytes", "logicalType": "decimal",
                    "precision": 2000000000, "scale": 2000000000}},
                  {"name": "next", "type": ["null", "Node"]}]}\
                """);
    var last = new GenericData.Record(node);
    last.put("d", ByteBuffer.wrap(new byte[] {'7'}));
    var first = new GenericData.Record(last, true);
    first.put("next", last);
    SchemaMapping json = SchemaMapping.builder().type("recursion", "json").build();
    Schema mapped = json.schema(node);

    var runs = new MappingRuns(json.plan(node, mapped, List.of()));
    byte[] bytes = HexFormat.of().parseHex(runs.run(AvroLibrary.encode(node, first)).bytes());
    var row = (GenericRecord) Objects.requireNonNull(AvroLibrary.decode(mapped, bytes));
    assertThat(String.valueOf(row.get("next"))).isEqualTo("{\"d\":\"7\",\"next\":null}");
  }

  private static GenericRecord node(
      String name, Schema schema, Map<String, Double> prices, @Nullable GenericRecord next) {
    var node = new GenericData.Record(schema);
    node.put("name", name);
    node.put("prices", new TreeMap<>(prices));
    node.put("next", next);
    node.put("more", next == null ? List.of() : List.of(next));
    return node;
  }

  @Test
  void wholeNumbersAreRoundedAsByAvroOnlyIfPermitted() throws Exception {
    Schema writer =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "N", "fields": [
                  {"name": "a", "type": "long"}, {"name": "b", "type": ["null", "long"]},
                  {"name": "c", "type": {"type": "array", "items": "int"}}]}\
                """);
    Schema reader =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "N", "fields": [
                  {"name": "c", "type": {"type": "array", "items": "float"}},
                  {"name": "a", "type": "double"}, {"name": "b", "type": ["null", "float"]}]}\
                """);
    var row = new GenericData.Record(writer);
    row.put("a", 9007199254740993L);
    row.put("b", Long.MAX_VALUE);
    row.put("c", List.of(16777217, -1));
    byte[] datum = AvroLibrary.encode(writer, row);
    var rounded =
        new MappingRuns(SchemaMapping.builder().round().build().plan(writer, reader, List.of()));
    var exact = new MappingRuns(SchemaMapping.NONE.plan(writer, reader, List.of()));

    assertThat(AvroLibrary.decode(reader, HexFormat.of().parseHex(rounded.run(datum).bytes())))
        .isEqualTo(AvroLibrary.decode(writer, reader, datum, 0, datum.length));
    assertThatThrownBy(() -> exact.run(datum)).hasMessageContaining("cannot be converted");
  }

  @Test
  void fieldHasATypeOfItsOwn() throws Exception {
    SchemaMapping mapping =
        SchemaMapping.builder()
            .set("iceberg")
            .fieldType("at", "timestamp-millis")
            .fieldType("side", "as-is")
            .fieldType("customer.age", "date")
            .build();
    Schema schema = mapping.schema(ORDER);
    Schema customer = schema.getField("customer").schema().getTypes().get(1);

    assertThat(mapped(mapping, order(-5000))).contains("\"at\": -5,", "\"side\": \"BUY\"");
    assertThat(schema.getField("side").schema().getType()).isEqualTo(Schema.Type.ENUM);
    assertThat(schema.getField("id").schema().getLogicalType()).isNull();
    assertThat(customer.getField("age").schema().getLogicalType().getName()).isEqualTo("date");
  }

  @Test
  void typeThatAFieldCannotHaveIsRefused() {
    assertThatThrownBy(
            () -> SchemaMapping.builder().fieldType("customer.age", "uuid").build().schema(ORDER))
        .isInstanceOf(UnmappableSchemaException.class)
        .hasMessage(
            "field \"customer.age\": int cannot become uuid, only one of [date, time-millis]");
    assertThatThrownBy(() -> SchemaMapping.builder().fieldType("at", "int32"))
        .hasMessage("no field can have the type \"int32\"");
    assertThatThrownBy(() -> SchemaMapping.builder().hash("at", "s").fieldType("at", "long"))
        .hasMessage("field \"at\": it has two rules");
  }

  @Test
  void plansOfOtherRulesAreOtherPlans() {
    Plan one = SchemaMapping.builder().hash("id", "a").build().plan(ORDER, ORDER, List.of());
    Plan other = SchemaMapping.builder().hash("id", "b").build().plan(ORDER, ORDER, List.of());

    assertThat(one).isNotEqualTo(other);
    assertThat(one.mapping()).isNotEqualTo(other.mapping()).doesNotContain("[a]");
  }

  @Test
  void recordInTwoPlacesCannotHaveDifferentRules() {
    Schema schema =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Pair", "fields": [
                  {"name": "a", "type": {"type": "record", "name": "Leg", "fields": [
                    {"name": "x", "type": "int"}, {"name": "y", "type": "int"}]}},
                  {"name": "b", "type": "Leg"}]}\
                """);

    assertThatThrownBy(() -> SchemaMapping.builder().exclude("a.x").build().schema(schema))
        .isInstanceOf(UnmappableSchemaException.class)
        .hasMessage(
            "field \"b\": the record Leg is also in another place, where other rules apply to its"
                + " fields. Name its fields in all places");
    assertThat(
            SchemaMapping.builder().exclude("a.x").exclude("b.x").build().schema(schema).toString())
        .doesNotContain("\"x\"");
  }

  @Test
  void everySetHasRulesThatExist() {
    TypeRules.sets()
        .forEach(
            (name, rules) ->
                rules.forEach(
                    (from, to) -> assertThat(TypeRules.choices().get(from)).as(from).contains(to)));
  }
}
