package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.AvroLibrary;
import io.tidemark.avro.plan.Plan;
import io.tidemark.avro.plan.Planner;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

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
                  {"name": "age", "type": "int"}]}], "default": null}]}""");

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
  void defaultsAreConverted() {
    Schema schema = SchemaMapping.builder().type("enum", "string").build().schema(ORDER);

    assertThat(schema.getField("side").defaultVal()).isEqualTo("SELL");
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
            {"id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "side": "BUY", "customer": {"name": "***", "ssn": "%s", "age": 0}}"""
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
            "byte 37, field \"at\": the number -5001 cannot be converted from timestamp-micros to timestamp-millis exactly");
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
                  {"name": "b", "type": "Leg"}]}""");

    assertThatThrownBy(() -> SchemaMapping.builder().exclude("a.x").build().schema(schema))
        .isInstanceOf(UnmappableSchemaException.class)
        .hasMessage(
            "field \"b\": the record Leg is also in another place, where other rules apply to its fields. Name its fields in all places");
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
