package io.tidemark.connect.hive;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.avro.Schema;
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
}
