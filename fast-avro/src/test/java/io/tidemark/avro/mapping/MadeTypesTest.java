package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.avro.merge.MergedSchema;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Named types that a mapping makes: the fixed of a decimal, and the record of a union. */
final class MadeTypesTest {
  private static final SchemaMapping MAPPING =
      SchemaMapping.builder().type("decimal", "fixed").type("union", "record").build();
  private static final String DECIMAL =
      "{\"type\": \"bytes\", \"logicalType\": \"decimal\", \"precision\": 5}";

  private static Schema record(String name, String more, String fields) {
    return new Schema.Parser()
        .parse(
            """
            {"type": "record", "name": "%s", "namespace": "shop"%s, "fields": [
              {"name": "price", "type": %s}, {"name": "any", "type": ["int", "string"]}%s]}\
            """
                .formatted(name, more, DECIMAL, fields));
  }

  @Test
  void nameIsNotThatOfAnotherType() {
    Schema mapped =
        MAPPING.schema(
            record(
                "Order",
                "",
                """
                , {"name": "one", "type": {"type": "fixed", "name": "Order_price", "size": 3}},
                {"name": "two", "type": {"type": "enum", "name": "Order_any_union", "symbols": ["A"]}}\
                """));

    assertThat(new Schema.Parser().parse(mapped.toString())).isEqualTo(mapped);
    assertThat(mapped.getField("price").schema().getFullName()).isEqualTo("shop.Order_price_2");
    assertThat(mapped.getField("any").schema().getFullName()).isEqualTo("shop.Order_any_union_2");
  }

  @Test
  void typesOfARenamedRecordAreThoseOfItsAlias() throws Exception {
    Schema table = MergedSchema.first(MAPPING.schema(record("Order", "", ""))).schema();
    Schema renamed = MAPPING.schema(record("Sale", ", \"aliases\": [\"Order\"]", ""));

    Schema merged = MergedSchema.of(table, renamed).schema();

    assertThat(merged.getField("price").schema().getFullName()).isEqualTo("shop.Order_price");
    assertThat(merged.getField("any").schema().getFullName()).isEqualTo("shop.Order_any_union");
  }

  @ParameterizedTest
  @ValueSource(ints = {1_001, 10_000_000, 500_000_000, Integer.MAX_VALUE})
  void decimalOfVeryManyDigitsHasNoFixed(int precision) {
    Schema decimal =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "R", "fields": [{"name": "d", "type":
                  {"type": "bytes", "logicalType": "decimal", "precision": %d}}]}\
                """
                    .formatted(precision));

    assertThatThrownBy(() -> MAPPING.schema(decimal))
        .isInstanceOf(UnmappableSchemaException.class)
        .hasMessage(
            "field \"d\": a decimal of %d digits cannot become fixed, only one of at most 1000"
                .formatted(precision));
  }
}
