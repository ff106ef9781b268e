package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.ScriptedHost;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
final class AvroSerdeTest {

  @Test
  void registryThatIsAwayIsAskedAgainLater() {
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      host.then(503, "text/plain", "away");
      Map<String, String> settings = Map.of("schema.registry.url", host.url(), "max.retries", "0");
      serializer.configure(settings, false);
      deserializer.configure(settings, false);
      assertThatThrownBy(() -> serializer.serialize("orders", "a"))
          .isInstanceOf(TimeoutException.class);
      assertThatThrownBy(() -> deserializer.deserialize("orders", new byte[5]))
          .isInstanceOf(TimeoutException.class);
    }
  }

  @Test
  void valueThatAvroHasNoTypeForIsTold() {
    try (AvroSerializer serializer = new AvroSerializer()) {
      serializer.configure(Map.of("schema.registry.url", "http://localhost:1"), false);
      assertThatThrownBy(() -> serializer.serialize("orders", new Object()))
          .isInstanceOf(SerializationException.class)
          .hasMessageStartingWith("topic orders: a java.lang.Object cannot be written");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "schema.registry.url|||schema.registry.url: is missing",
        "x|auto.register.schemas|yes|use true or false",
        "x|schema.id.placement|footer|use value or header",
        "x|value.subject.name.strategy|com.example.Mine|is not one of TopicNameStrategy",
        "x|use.latest.version|true|has no effect while auto.register.schemas is true",
        "x|use.schema.id|7|is written with its own schema",
        "x|use.latest.with.metadata|a=b|Remove the key",
        "x|latest.compatibility.strict|false|Set it to true",
        "x|schema.reflection|true|Use generic or generated records",
        "schema.registry.api|schema.id.placement|header|cannot be in a header",
      })
  void wrongSettingIsTold(String first, String key, String value, String problem) {
    Map<String, String> settings = new HashMap<>();
    if (!first.equals("schema.registry.url")) {
      settings.put("schema.registry.url", "http://localhost:1");
    }
    if (first.equals("schema.registry.api")) {
      settings.put(first, "avro-1124");
    }
    if (key != null) {
      settings.put(key, value);
    }
    try (AvroSerializer serializer = new AvroSerializer()) {
      assertThatThrownBy(() -> serializer.configure(settings, false))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(problem);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"java-class", "avro.java.string"})
  void textsOfAJavaClassAreTexts(String property) {
    String text =
        property.equals("java-class")
            ? "{'type':'string','java-class':'java.math.BigDecimal'}"
            : "{'type':'string','avro.java.string':'String'}";
    Object datum =
        deserialize(
            "{'type':'record','name':'R','fields':[{'name':'a','type':%s},{'name':'b','type':{'type':'map','values':'int','java-key-class':'java.net.URI'}}]}"
                .formatted(text),
            "06312e35020261" + "0400");
    assertThat(datum).hasToString("{\"a\": \"1.5\", \"b\": {\"a\": 2}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'string' | feffffff0f | it declares 2147483647 bytes, but only 0 are left",
        "['null', 'bytes'] | 0280808080800100 | it declares ",
        "['null', 'bytes'] | 0201 | it declares -1 bytes",
        "'string' | 80 | a number is cut off",
        "'long' | ffffffffffffffffffffff | a number has no end",
        "'int' | 8080808020 | has more than 32 bits",
        "'double' | 00 | it declares 8 bytes, but only 1 are left",
        "'long' | 0200 | 1 bytes are left after the datum",
        "['null', 'int'] | 04 | the index 2 is out of range of 2 types",
        "{'type':'enum','name':'E','symbols':['A']} | 01 | the index -1 is out of range of 1 symbols",
        "{'type':'fixed','name':'F','size':2000} | 00 | it declares 2000 bytes",
        "{'type':'array','items':'null'} | feffffff0f00 | it declares more than ",
        "{'type':'array','items':'null'} | ffffffffffffffffff010000 | it declares more than ",
        "{'type':'array','items':'int'} | 01ff | a number is cut off",
        "{'type':'array','items':'int'} | 0110 | it declares a block of 8 bytes",
        "{'type':'array','items':{'type':'record','name':'R','fields':[]}} | feffffff0f00 | it declares more than ",
        "{'type':'map','values':'null'} | 02feffffff0f | it declares 2147483647 bytes",
        "{'type':'record','name':'R','fields':[{'name':'r','type':'R'}]} | 00 | values are nested deeper than 1000",
      })
  void hostileBytesAreTheDatumsFault(String schema, String bytes, String problem) {
    assertThatThrownBy(() -> deserialize(schema, bytes))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith("topic orders: the value cannot be read: ")
        .hasMessageContaining(problem);
  }

  @Test
  void datumThatIsTooDeepForTheStackIsTheDatumsFault() throws Exception {
    String list =
        "{'type':'record','name':'R','fields':[{'name':'r','type':['null',{'type':'array','items':'R'}]}]}";
    String deep = "0202".repeat(200) + "00" + "00".repeat(200);
    assertThat(deserialize(list, deep)).isNotNull();
    assertThatThrownBy(() -> deserialize(list, "0202".repeat(100_000)))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("nested deeper than 1000");
  }

  @Test
  void datumThatIsNotOfItsSchemaIsTold() {
    GenericData.Record cyclic =
        new GenericData.Record(
            new Schema.Parser()
                .parse(
                    "{'type':'record','name':'R','fields':[{'name':'r','type':'R'}]}"
                        .replace('\'', '"')));
    cyclic.put(0, cyclic);
    GenericData.Record empty = new GenericData.Record(Order.SCHEMA$);
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer()) {
      host.thenJson(200, "{\"id\": 7}");
      serializer.configure(Map.of("schema.registry.url", host.url()), false);
      for (GenericData.Record record : List.of(cyclic, empty)) {
        assertThatThrownBy(() -> serializer.serialize("orders", record))
            .isInstanceOf(SerializationException.class)
            .hasMessageStartingWith("topic orders: a org.apache.avro.generic");
      }
    }
  }

  /** The object that a deserializer reads from bytes of a schema, given in hexadecimal digits. */
  private static @Nullable Object deserialize(String schema, String bytes) {
    try (ScriptedHost host = new ScriptedHost();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      host.thenJson(200, "{\"schema\": \"" + schema.replace("'", "\\\"") + "\"}");
      deserializer.configure(Map.of("schema.registry.url", host.url()), false);
      return deserializer.deserialize("orders", HexFormat.of().parseHex("0000000007" + bytes));
    }
  }

  @Test
  void closingTwiceAndUseAfterwardsAreTold() {
    AvroSerializer serializer = new AvroSerializer();
    serializer.close();
    serializer.close();
    assertThatThrownBy(() -> serializer.serialize("orders", "a"))
        .isInstanceOf(IllegalStateException.class);
  }
}
