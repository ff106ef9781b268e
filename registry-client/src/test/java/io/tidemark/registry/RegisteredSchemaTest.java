package io.tidemark.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.avro.SchemaParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegisteredSchemaTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'type':'enum','name':'..','symbols':['A']}",
        "{'type':'fixed','name':'..','size':1}",
        "{'type':'record','name':'R'}",
        "{'type':'array'}",
        "{'type':'fixed','name':'F','size':-1}",
        "['null','null']",
        "'unknown'",
        "{",
        ""
      })
  void whatAvrosParserStumblesOverIsRefusedInOneWay(String schema) {
    assertThatThrownBy(() -> RegisteredSchema.parse(schema.replace('\'', '"')))
        .isInstanceOf(SchemaParseException.class);
  }

  @Test
  void namesAndDefaultsThatAvroWouldRefuseTodayAreTaken() {
    assertThat(
            RegisteredSchema.parse(
                    "{\"type\":\"record\",\"name\":\"old-record\",\"fields\":["
                        + "{\"name\":\"my-field\",\"type\":\"int\",\"default\":\"none\"}]}")
                .getField("my-field"))
        .isNotNull();
  }
}
