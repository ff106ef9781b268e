package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.schema.HiveSchema;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.metastore.api.Table;
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

  private static TableDefinition definition(Schema schema) {
    return new TableDefinition(
        new TableName("default", "r"), "hdfs://nn/topics/r", schema, List.of(), Map.of());
  }

  private static Schema schema(String fields) {
    return new Schema.Parser()
        .parse("{'type':'record','name':'R','fields':[%s]}".formatted(fields).replace('\'', '"'));
  }
}
