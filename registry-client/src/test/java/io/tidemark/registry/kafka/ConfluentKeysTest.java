package io.tidemark.registry.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every setting of Confluent's serializer and deserializer is used, refused or without effect. */
final class ConfluentKeysTest {

  record Key(String name, String value, String serializer, String deserializer) {}

  static List<Key> keys() throws IOException {
    List<Key> keys = new ArrayList<>();
    try (InputStream in =
        ConfluentKeysTest.class.getResourceAsStream("/confluent/serde-keys.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        if (!line.startsWith("#")) {
          String[] cells = line.split("\\|", -1);
          keys.add(new Key(cells[0].strip(), cells[1].strip(), cells[2].strip(), cells[3].strip()));
        }
      }
    }
    return keys;
  }

  @ParameterizedTest
  @MethodSource("keys")
  void settingThatCannotBeHonouredIsRefused(Key key) {
    Map<String, String> settings = settings(key);
    try (AvroSerializer serializer = new AvroSerializer();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      if (key.serializer().equals("refused")) {
        assertThatThrownBy(() -> serializer.configure(settings, false))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining(key.name());
      } else {
        assertThatCode(() -> serializer.configure(settings, false)).doesNotThrowAnyException();
      }
      if (key.deserializer().equals("refused")) {
        assertThatThrownBy(() -> deserializer.configure(settings, false))
            .isInstanceOf(ConfigException.class)
            .hasMessageContaining(key.name());
      } else {
        assertThatCode(() -> deserializer.configure(settings, false)).doesNotThrowAnyException();
      }
    }
  }

  private static Map<String, String> settings(Key key) {
    Map<String, String> settings = new HashMap<>();
    settings.put("schema.registry.url", "http://localhost:1");
    settings.put(key.name(), key.value());
    switch (key.name()) {
      case "proxy.host" -> settings.put("proxy.port", "1");
      case "proxy.port" -> settings.put("proxy.host", "localhost");
      case "schema.registry.basic.auth.user.info", "basic.auth.user.info" ->
          settings.put("basic.auth.credentials.source", "USER_INFO");
      case "bearer.auth.token" -> settings.put("bearer.auth.credentials.source", "STATIC_TOKEN");
      default -> {}
    }
    return settings;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "use.schema.id=-1",
        "use.latest.with.metadata=",
        "latest.compatibility.strict=TRUE",
        "schema.reflection=False",
        "propagate.schema.tags=false",
        "context.name.strategy=io.confluent.kafka.serializers.context.NullContextNameStrategy",
        "validation.rules.execution=disabled",
        "rule.executors=",
        "rule.actions=",
        "value.schema.id.serializer=io.confluent.kafka.serializers.schema.id.PrefixSchemaIdSerializer",
        "value.schema.id.deserializer=io.confluent.kafka.serializers.schema.id.DualSchemaIdDeserializer",
        "auto.register.schemas=TRUE",
        "use.latest.version= False ",
      })
  void defaultsOfConfluentAreAccepted(String setting) {
    String[] parts = setting.split("=", 2);
    Map<String, String> settings =
        Map.of("schema.registry.url", "http://localhost:1", parts[0], parts[1]);
    try (AvroSerializer serializer = new AvroSerializer();
        AvroDeserializer deserializer = new AvroDeserializer()) {
      assertThatCode(() -> serializer.configure(settings, false)).doesNotThrowAnyException();
      assertThatCode(() -> deserializer.configure(settings, false)).doesNotThrowAnyException();
    }
  }

  @Test
  void secretsOfExecutorsAreNotInTheMessage() {
    Map<String, String> settings =
        Map.of(
            "schema.registry.url",
            "http://localhost:1",
            "rule.executors._ENCRYPT_.param.secret.access.key",
            "hush");
    try (AvroSerializer serializer = new AvroSerializer()) {
      assertThatThrownBy(() -> serializer.configure(settings, false))
          .isInstanceOf(ConfigException.class)
          .hasMessageNotContaining("hush");
    }
  }

  @Test
  void everySettingIsInTheDocument() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "REGISTRY.md"));
    for (Key key : keys()) {
      String name = key.name().replaceFirst("^(rule\\.(executors|actions))\\..*", "$1");
      List<String> spellings =
          List.of(
              name,
              name.replaceFirst("\\.[^.]*$", ".*"), // proxy.*
              name.replaceFirst("^schema\\.registry\\.basic", "basic"),
              name.replaceFirst("^key\\.", "value."),
              name.replaceFirst("^missing\\.[a-z]+\\.", "missing.*."));
      assertThat(spellings).as(name).anyMatch(spelling -> page.contains("`" + spelling));
    }
  }
}
