package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.ScriptedHost;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        "x|value.subject.name.strategy|com.example.Mine|is none of TopicNameStrategy",
        "schema.registry.api|schema.id.placement|header|have no place in a header",
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

  @Test
  void closingTwiceAndUseAfterwardsAreTold() {
    AvroSerializer serializer = new AvroSerializer();
    serializer.close();
    serializer.close();
    assertThatThrownBy(() -> serializer.serialize("orders", "a"))
        .isInstanceOf(IllegalStateException.class);
  }
}
