package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HiveObjectsTest {

  @Test
  void schemaWithoutAsciiIsTheSameSchemaInAscii() {
    Schema schema =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "R", "doc": "Kurs in €, 東京, \uD83C\uDF0A \\u0041",
                 "fields": [{"name": "größe", "type": "string", "default": "\\"ü\\""}]}
                """);

    String literal = HiveObjects.ascii(schema.toString());

    assertThat(literal).matches("[ -~]+");
    Schema read = new Schema.Parser().parse(literal);
    assertThat(read).isEqualTo(schema);
    assertThat(read.getDoc()).isEqualTo(schema.getDoc());
  }

  @Test
  void commentsOfColumnsAreTheDocsOfTheirFieldsAsTheMetastoreCanStoreThem() throws Exception {
    Schema schema =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "R", "fields": [
                  {"name": "price", "type": "long", "doc": " Kurs\\nin € "},
                  {"name": "long_one", "type": "long", "doc": "%s"},
                  {"name": "without", "type": "long"}]}
                """
                    .formatted("x".repeat(300)));
    Table table = HiveObjects.table(definition(schema), HiveSchema.of(schema, List.of()), "owner");

    assertThat(table.getSd().getCols())
        .extracting(FieldSchema::getComment)
        .containsExactly("Kurs?in ?", "x".repeat(253) + "...", "");
  }

  @Test
  void commentOfAUserStaysWhenTheTableGetsAnotherColumn() throws Exception {
    Schema first = schema("{'name':'a','type':'long','doc':'one'},{'name':'b','type':'long'}");
    Schema second =
        schema(
            "{'name':'a','type':'long','doc':'one'},{'name':'b','type':'long','doc':'two'},{'name':'c','type':'long','doc':'three'}");
    Table table = HiveObjects.table(definition(first), HiveSchema.of(first, List.of()), "owner");
    table.getSd().getCols().get(0).setComment("a user's");
    table.getSd().getCols().get(1).setComment("from deserializer");

    HiveObjects.describe(table, definition(second), HiveSchema.of(second, List.of()));

    assertThat(table.getSd().getCols())
        .extracting(FieldSchema::getComment)
        .containsExactly("a user's", "two", "three");
    assertThat(HiveObjects.isDescribed(table, HiveSchema.of(second, List.of()))).isTrue();
  }

  @Test
  void changesOfSchemaAndColumnsAreFoundAndNamed() throws Exception {
    Schema schema = schema("{'name':'a','type':'long'},{'name':'b','type':'string'}");
    String literal = "avro.schema.literal";
    String url = "avro.schema.url";
    altered(schema, table -> {}, null);
    altered(schema, table -> table.getSd().getCols().get(0).setComment("theirs"), null);
    altered(schema, table -> table.putToParameters("note", "theirs"), null);
    altered(schema, table -> table.getSd().getSerdeInfo().putToParameters("note", "theirs"), null);
    altered(
        schema,
        table -> table.getParameters().remove(literal),
        "its property avro.schema.literal was changed or removed");
    altered(
        schema,
        table -> table.putToParameters(literal, "{}"),
        "its property avro.schema.literal was changed or removed");
    altered(
        schema,
        table -> table.putToParameters(url, "hdfs:///a.avsc"),
        "avro.schema.url, or a schema of its SerDe, was set");
    altered(
        schema,
        table -> table.getSd().getSerdeInfo().putToParameters(url, "hdfs:///a.avsc"),
        "avro.schema.url, or a schema of its SerDe, was set");
    altered(
        schema,
        table -> table.getSd().getSerdeInfo().putToParameters(literal, "{}"),
        "avro.schema.url, or a schema of its SerDe, was set");
    altered(
        schema,
        table -> table.getSd().getCols().get(0).setType("int"),
        "its column 1 is a int, not a bigint");
    altered(
        schema,
        table -> table.getSd().getCols().get(1).setName("c"),
        "its column 2 is c string, not b string");
    altered(
        schema,
        table -> Collections.reverse(table.getSd().getCols()),
        "its column 1 is b string, not a bigint");
    altered(
        schema,
        table -> table.getSd().addToCols(new FieldSchema("c", "int", "")),
        "its column 3 is c int, not none");
    altered(schema, table -> table.getSd().getCols().remove(1), "its last columns are missing");
    altered(
        schema,
        table -> {
          table.getSd().getCols().remove(1);
          table.getParameters().remove("tidemark.registered");
        },
        null);
  }

  private static void altered(Schema schema, Consumer<Table> change, @Nullable String problem)
      throws Exception {
    HiveSchema hive = HiveSchema.of(schema, List.of());
    HiveSchema wider =
        HiveSchema.of(
            schema(
                "{'name':'a','type':'long'},{'name':'b','type':'string'},{'name':'z','type':'int'}"),
            List.of());
    Table table = HiveObjects.table(definition(schema), hive, "owner").deepCopy();
    change.accept(table);
    assertThat(HiveObjects.altered(table, hive)).isEqualTo(Optional.ofNullable(problem));
    if (problem == null || !problem.contains("none")) {
      assertThat(HiveObjects.altered(table, wider)).isEqualTo(Optional.ofNullable(problem));
    }
  }

  private static TableDefinition definition(Schema schema) {
    return new TableDefinition(
        new TableName("default", "r"), "hdfs://nn/topics/r", schema, List.of(), Map.of());
  }

  private static Schema schema(String fields) {
    return new Schema.Parser()
        .parse("{'type':'record','name':'R','fields':[%s]}".formatted(fields).replace('\'', '"'));
  }
}
