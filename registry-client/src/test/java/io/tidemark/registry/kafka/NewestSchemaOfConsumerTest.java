package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.ScriptedHost;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reader schema of a deserializer: the newest of the subject, or that of a class. */
@Timeout(20)
final class NewestSchemaOfConsumerTest {
  private static final String WRITER =
      "{'type':'record','name':'O','fields':[{'name':'a','type':'string'},{'name':'n','type':'int'}]}";
  private static final String NEWEST =
      "{'type':'record','name':'O','fields':[{'name':'a','type':'string'},{'name':'n','type':'int'},"
          + "{'name':'z','type':'int','default':9}]}";

  /** The record {a: "x", n: 5}. */
  private static final byte[] VALUE = HexFormat.of().parseHex("000000000102780a");

  private final ScriptedHost host = new ScriptedHost();

  @AfterEach
  void stop() {
    host.close();
  }

  @Test
  void valueIsReadWithTheNewestSchemaOfItsSubject() {
    host.thenJson(200, document(1, WRITER)).thenJson(200, document(2, NEWEST));
    try (AvroDeserializer deserializer = deserializer(Map.of("use.latest.version", "TRUE"))) {
      for (int i = 0; i < 3; i++) {
        assertThat(deserializer.deserialize("orders", VALUE))
            .hasToString("{\"a\": \"x\", \"n\": 5, \"z\": 9}");
      }
    }
    assertThat(host.requests())
        .containsExactly("/schemas/ids/1", "/subjects/orders-value/versions/latest");
  }

  @Test
  void newerSchemaIsUsedWhenTheCachedOneExpires() {
    host.thenJson(200, document(1, WRITER))
        .thenJson(200, document(1, WRITER))
        .thenJson(200, document(2, NEWEST));
    try (AvroDeserializer deserializer =
        deserializer(Map.of("use.latest.version", "true", "latest.cache.ttl.sec", "0"))) {
      assertThat(deserializer.deserialize("orders", VALUE)).hasToString("{\"a\": \"x\", \"n\": 5}");
      assertThat(deserializer.deserialize("orders", VALUE))
          .hasToString("{\"a\": \"x\", \"n\": 5, \"z\": 9}");
    }
  }

  @Test
  void subjectIsNamedByTheStrategy() {
    host.thenJson(200, document(1, WRITER)).thenJson(200, document(2, NEWEST));
    try (AvroDeserializer deserializer =
        deserializer(
            Map.of(
                "use.latest.version", "true",
                "value.subject.name.strategy", "TopicRecordNameStrategy"))) {
      deserializer.deserialize("orders", VALUE);
    }
    assertThat(host.requests().get(1)).isEqualTo("/subjects/orders-O/versions/latest");
  }

  @Test
  void valueOfAnotherLogicalTypeIsNotReinterpreted() {
    String field =
        "{'type':'record','name':'O','fields':[{'name':'t','type':{'type':'long','logicalType':'%s'}}]}";
    host.thenJson(200, document(1, field.formatted("timestamp-millis")))
        .thenJson(200, document(2, field.formatted("timestamp-micros")));
    try (AvroDeserializer deserializer = deserializer(Map.of("use.latest.version", "true"))) {
      assertThatThrownBy(
              () -> deserializer.deserialize("orders", HexFormat.of().parseHex("000000000102")))
          .isInstanceOf(SerializationException.class)
          .hasMessageContaining("O.t is ");
    }
  }

  @Test
  void migrationRuleIsRefusedUnlessTheSchemaIsTheNewest() {
    String rules =
        ",\"ruleSet\":{\"migrationRules\":[{\"name\":\"m\",\"mode\":\"UPGRADE\",\"type\":\"JSONATA\"}]}}";
    host.thenJson(200, document(1, WRITER))
        .thenJson(200, document(2, NEWEST).replaceFirst("}$", rules));
    try (AvroDeserializer deserializer = deserializer(Map.of("use.latest.version", "true"))) {
      assertThatThrownBy(() -> deserializer.deserialize("orders", VALUE))
          .isInstanceOf(SerializationException.class)
          .hasMessageContaining("schema id 2 has the rule m of type JSONATA");
    }
  }

  /** The class's schema has more priority: its objects have no other fields. */
  @Test
  void specificRecordIsReadWithTheSchemaOfItsClass() {
    host.thenJson(200, document(1, Order.SCHEMA$.toString()));
    try (AvroDeserializer deserializer =
        deserializer(Map.of("use.latest.version", "true", "specific.avro.reader", "true"))) {
      assertThat(deserializer.deserialize("orders", HexFormat.of().parseHex("000000000102780a")))
          .isEqualTo(new Order("x", 5));
    }
    assertThat(host.requests()).hasSize(1);
  }

  @Test
  void namedClassIsUsedForASchemaOfAnotherName() {
    host.thenJson(200, document(1, renamed()));
    try (AvroDeserializer deserializer =
        deserializer(
            Map.of(
                "specific.avro.reader",
                "true",
                "specific.avro.value.type",
                Order.class.getName()))) {
      assertThat(deserializer.deserialize("orders", HexFormat.of().parseHex("000000000102780a")))
          .isEqualTo(new Order("x", 5));
    }
  }

  @Test
  void namedClassNeedsSpecificAvroReader() {
    host.thenJson(200, document(1, WRITER));
    try (AvroDeserializer deserializer =
        deserializer(Map.of("specific.avro.value.type", Order.class.getName()))) {
      assertThat(deserializer.deserialize("orders", VALUE)).isInstanceOf(GenericData.Record.class);
    }
    assertThatThrownBy(() -> deserializer(Map.of("specific.avro.value.type", "java.lang.String")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not a specific record class");
    assertThatThrownBy(() -> deserializer(Map.of("specific.avro.value.type", "com.example.None")))
        .isInstanceOf(ConfigException.class);
  }

  /** A topic with several record types: each branch has the schema of its class. */
  @Test
  void topLevelUnionHasTheSchemasOfItsClasses() {
    String swapped =
        "['null',{'type':'record','name':'Order','namespace':'io.tidemark.registry.kafka',"
            + "'fields':[{'name':'count','type':'int'},{'name':'item','type':'string'}]}]";
    host.thenJson(200, document(1, swapped));
    try (AvroDeserializer deserializer = deserializer(Map.of("specific.avro.reader", "true"))) {
      assertThat(deserializer.deserialize("orders", HexFormat.of().parseHex("0000000001020a0278")))
          .isEqualTo(new Order("x", 5));
    }
  }

  @Test
  void bytesAfterTheDatumAreIgnoredBySetting() {
    host.thenJson(200, document(1, WRITER));
    byte[] longer = HexFormat.of().parseHex("000000000102780a00");
    try (AvroDeserializer strict = deserializer(Map.of());
        AvroDeserializer lenient = deserializer(Map.of("avro.fail.on.trailing.data", "false"))) {
      assertThatThrownBy(() -> strict.deserialize("orders", longer))
          .isInstanceOf(SerializationException.class);
      assertThat(lenient.deserialize("orders", longer)).hasToString("{\"a\": \"x\", \"n\": 5}");
    }
  }

  private static String renamed() {
    return Order.SCHEMA$.toString().replace("\"Order\"", "\"Purchase\"");
  }

  private AvroDeserializer deserializer(Map<String, String> given) {
    Map<String, String> settings = new HashMap<>(given);
    settings.put("schema.registry.url", host.url());
    AvroDeserializer deserializer = new AvroDeserializer();
    deserializer.configure(settings, false);
    return deserializer;
  }

  private static String document(int id, String schema) {
    return "{\"subject\":\"orders-value\",\"version\":%d,\"id\":%d,\"schema\":\"%s\"}"
        .formatted(id, id, schema.replace("'", "\"").replace("\"", "\\\""));
  }
}
