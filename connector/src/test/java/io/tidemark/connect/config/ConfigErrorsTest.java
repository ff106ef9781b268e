package io.tidemark.connect.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.connect.TidemarkSinkConnector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The texts of all errors and warnings about configurations, as fixtures/config/errors.json. */
class ConfigErrorsTest {
  private static final Path GOLDEN =
      Path.of("src", "test", "resources", "fixtures", "config", "errors.json");
  private static final String WRITE = "tidemark.docs.write";

  private static final Map<String, String> GOOD =
      Map.of(
          "name", "quotes",
          "topics", "quotes",
          "value.converter", ConnectorConfig.BYTE_ARRAY_CONVERTER,
          "consumer.override.isolation.level", "read_committed",
          "validation.connect", "false",
          "kafka.bootstrap.servers", "kafka:9092",
          "schema.registry.url", "http://registry:8081",
          "store.url", "hdfs://namenode:8020");

  /**
   * A configuration and what validation says about it.
   *
   * @param changes the changes to a valid configuration; a key that is null is removed
   * @param errors the texts by key
   * @param warnings the texts that a start of the connector logs
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Case(
      @JsonInclude SortedMap<String, @Nullable String> changes,
      @Nullable SortedMap<String, List<String>> errors,
      @Nullable List<String> warnings) {}

  @Test
  void eachMistakeHasItsText() throws IOException {
    ObjectMapper json = new ObjectMapper();
    List<Case> golden = json.readValue(GOLDEN.toFile(), new TypeReference<>() {});
    List<Case> actual = golden.stream().map(each -> validated(each.changes())).toList();
    String text =
        json.writer(
                    new DefaultPrettyPrinter()
                        .withArrayIndenter(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE))
                .writeValueAsString(actual)
            + "\n";
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(GOLDEN, text);
    }
    assertThat(text)
        .as("write the new texts with -D%s=true, and review the difference", WRITE)
        .isEqualTo(Files.readString(GOLDEN));
  }

  private static Case validated(SortedMap<String, @Nullable String> changes) {
    Map<String, String> properties = new HashMap<>(GOOD);
    changes.forEach(
        (key, value) -> {
          if (value == null) {
            properties.remove(key);
          } else {
            properties.put(key, value);
          }
        });
    SortedMap<String, List<String>> errors = new TreeMap<>();
    for (ConfigValue value : new TidemarkSinkConnector().validate(properties).configValues()) {
      if (!value.errorMessages().isEmpty()) {
        errors.put(value.name(), value.errorMessages());
      }
    }
    return new Case(
        changes,
        errors,
        ConfigChecks.warnings(ConnectorConfig.unchecked(properties)).stream().sorted().toList());
  }
}
