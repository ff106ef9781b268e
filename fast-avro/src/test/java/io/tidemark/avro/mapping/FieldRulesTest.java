package io.tidemark.avro.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Several rules for one field, for fields in it, and for fields of which it is a part. */
final class FieldRulesTest {
  private static final Schema ORDER =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Order", "fields": [
                {"name": "id", "type": "int"},
                {"name": "customer", "type": ["null", {"type": "record", "name": "Customer", "fields": [
                  {"name": "name", "type": "string"},
                  {"name": "ssn", "type": "string"},
                  {"name": "born", "type": "int"}]}]}]}\
              """);

  private static SchemaMapping.Builder rules() {
    return SchemaMapping.builder();
  }

  static Stream<Arguments> included() {
    return Stream.of(
        Arguments.of(rules().include("id").exclude("customer.ssn"), List.of("id")),
        Arguments.of(rules().exclude("customer.ssn").include("id"), List.of("id")),
        Arguments.of(rules().include("id").hash("customer.ssn", "s"), List.of("id")),
        Arguments.of(rules().include("id").mask("customer.ssn", "?"), List.of("id")),
        Arguments.of(rules().include("id").fieldType("customer.born", "date"), List.of("id")),
        Arguments.of(
            rules().include("customer.name").mask("customer.ssn", "?").mask("id", ""),
            List.of("customer.name")),
        Arguments.of(
            rules().include("customer.name").fieldType("customer", "as-is"),
            List.of("customer.name")),
        Arguments.of(
            rules().fieldType("customer", "as-is").include("customer.name"),
            List.of("customer.name")),
        Arguments.of(
            rules().include("customer").fieldType("customer", "as-is").include("customer.name"),
            List.of("customer.name", "customer.ssn", "customer.born")),
        Arguments.of(
            rules().include("customer.name").include("customer").exclude("customer.ssn"),
            List.of("customer.name", "customer.born")),
        Arguments.of(rules().include("id").include("customer").exclude("customer"), List.of("id")),
        Arguments.of(rules().exclude("customer").include("id").include("customer"), List.of("id")),
        Arguments.of(rules().include("id").mask("id", ""), List.of("id")));
  }

  @ParameterizedTest
  @MethodSource("included")
  void onlyFieldsThatAreIncludedAndNotExcludedLand(
      SchemaMapping.Builder rules, List<String> fields) {
    assertThat(fields(rules.build().schema(ORDER))).isEqualTo(fields);
  }

  private static List<String> fields(Schema mapped) {
    return mapped.getFields().stream()
        .flatMap(
            field ->
                field.schema().isUnion()
                    ? field.schema().getTypes().get(1).getFields().stream()
                        .map(inner -> field.name() + '.' + inner.name())
                    : Stream.of(field.name()))
        .toList();
  }

  @Test
  void recordHasNoTypeOfItsOwn() {
    assertThatThrownBy(() -> rules().fieldType("customer", "date").build().schema(ORDER))
        .isInstanceOf(UnmappableSchemaException.class)
        .hasMessage("field \"customer\": record cannot become date");
    assertThatThrownBy(() -> rules().fieldType("customer", "json"))
        .hasMessage("no field can have the type \"json\"");
  }
}
