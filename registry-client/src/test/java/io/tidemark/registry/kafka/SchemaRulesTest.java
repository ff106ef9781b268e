package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.registry.ScriptedHost;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas with rules, which Confluent's serializers execute and this library refuses. */
@Timeout(20)
final class SchemaRulesTest {
  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"O\",\"fields\":"
          + "[{\"name\":\"a\",\"type\":\"string\",\"confluent:tags\":[\"PII\"]}]}";

  private static final String ENCRYPT =
      "{\"domainRules\":[{\"name\":\"e\",\"kind\":\"TRANSFORM\",\"mode\":\"WRITEREAD\","
          + "\"type\":\"ENCRYPT\",\"tags\":[\"PII\"],\"params\":{\"encrypt.kek.name\":\"k\"}}]}";

  private static final Map<String, String> NEWEST =
      Map.of("auto.register.schemas", "false", "use.latest.version", "true");

  @Test
  void fieldThatARuleEncryptsIsNotWrittenAsPlainText() {
    for (Map<String, String> settings :
        java.util.List.of(
            NEWEST, Map.of("auto.register.schemas", "false"), Map.<String, String>of())) {
      assertThatThrownBy(() -> serialize(ENCRYPT, settings))
          .isInstanceOf(SerializationException.class)
          .hasMessageContaining("schema id 20 has the rule e of type ENCRYPT")
          .hasMessageContaining("rule.executors._ENCRYPT_.disabled=true");
    }
  }

  @Test
  void fieldThatARuleEncryptedIsNotReadAsText() {
    assertThatThrownBy(() -> deserialize(ENCRYPT, Map.of()))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith("topic enc: the value cannot be read: schema id 20 has the rule e");
  }

  @ParameterizedTest
  @CsvSource({"e", "_ENCRYPT_", "_default_"})
  void disabledRuleIsNotMissed(String name) {
    Map<String, String> settings = new HashMap<>(NEWEST);
    settings.put("rule.executors." + name + ".disabled", "True");
    assertThat(serialize(ENCRYPT, settings)).isEqualTo(HexFormat.of().parseHex("00000000140278"));
    settings.remove("use.latest.version");
    assertThat(deserialize(ENCRYPT, settings)).hasToString("{\"a\": \"x\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "domainRules | READ | CEL | false | true",
        "domainRules | WRITE | CEL | true | false",
        "encodingRules | WRITEREAD | ENCRYPT_PAYLOAD | true | true",
        "migrationRules | UPGRADE | JSONATA | false | false",
        "domainRules | SOMETHING | CEL | true | true",
      })
  void ruleIsRefusedWhereItWouldBeExecuted(
      String phase, String mode, String type, boolean onWrite, boolean onRead) {
    String rules =
        "{\"%s\":[{\"name\":\"r\",\"mode\":\"%s\",\"type\":\"%s\"}]}".formatted(phase, mode, type);
    assertThat(isRefused(() -> serialize(rules, NEWEST))).isEqualTo(onWrite);
    assertThat(isRefused(() -> deserialize(rules, Map.of()))).isEqualTo(onRead);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"domainRules\":[{\"name\":\"e\",\"type\":\"ENCRYPT\",\"disabled\":true}]}",
        "{\"enableAt\":\"NONE\",\"domainRules\":[{\"name\":\"e\",\"type\":\"ENCRYPT\"}]}",
        "{\"domainRules\":[]}",
        "null"
      })
  void schemaWithoutAnEnabledRuleIsUsed(String rules) {
    assertThat(serialize(rules, NEWEST)).isNotNull();
    assertThat(deserialize(rules, Map.of())).isNotNull();
  }

  /** The rules are in the cache file, from which a process starts without the registry. */
  @Test
  void rulesAreRememberedByTheCacheFile(@TempDir Path directory) {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "schema.registry.cache.file", directory.resolve("schemas").toString(),
                "schema.registry.confirm.interval.ms", "0",
                "max.retries", "0"));
    try (ScriptedHost host = new ScriptedHost()) {
      host.thenJson(200, document(ENCRYPT)).then(503, "text/plain", "away");
      settings.put("schema.registry.url", host.url());
      for (int start = 0; start < 2; start++) {
        try (AvroDeserializer deserializer = new AvroDeserializer()) {
          deserializer.configure(settings, false);
          assertThatThrownBy(() -> deserializer.deserialize("enc", value()))
              .isInstanceOf(SerializationException.class)
              .hasMessageContaining("has the rule e of type ENCRYPT");
        }
      }
    }
  }

  private static boolean isRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    try {
      call.call();
      return false;
    } catch (SerializationException e) {
      assertThat(e).hasMessageContaining("has the rule r of type");
      return true;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] value() {
    return HexFormat.of().parseHex("00000000140278");
  }

  private static String document(String rules) {
    return "{\"subject\":\"enc-value\",\"version\":1,\"id\":20,\"schema\":\""
        + SCHEMA.replace("\"", "\\\"")
        + "\",\"ruleSet\":"
        + rules
        + "}";
  }

  private static byte @Nullable [] serialize(String rules, Map<String, String> given) {
    GenericData.Record order = new GenericData.Record(new Schema.Parser().parse(SCHEMA));
    order.put("a", "x");
    try (ScriptedHost host = new ScriptedHost();
        AvroSerializer serializer = new AvroSerializer()) {
      host.thenJson(200, document(rules));
      serializer.configure(settings(host, given), false);
      return serializer.serialize("enc", order);
    }
  }

  private static @Nullable Object deserialize(String rules, Map<String, String> given) {
    try (ScriptedHost host = new ScriptedHost();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      host.thenJson(200, document(rules));
      deserializer.configure(settings(host, given), false);
      return deserializer.deserialize("enc", value());
    }
  }

  private static Map<String, String> settings(ScriptedHost host, Map<String, String> given) {
    Map<String, String> settings = new HashMap<>(given);
    settings.put("schema.registry.url", host.url());
    return settings;
  }
}
