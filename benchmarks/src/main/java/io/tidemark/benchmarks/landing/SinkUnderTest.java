package io.tidemark.benchmarks.landing;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A sink connector to measure, by its configuration.
 *
 * @param name the configuration file's name without {@code .json}
 * @param configuration the settings; values may contain {@code ${bootstrap.servers}}, {@code
 *     ${schema.registry.url}}, {@code ${store.url}}, {@code ${hive.metastore.uris}}, {@code
 *     ${topic}}, {@code ${table}}, {@code ${tasks}}, {@code ${schema}}, {@code ${control.topic}}
 *     and {@code ${run}}, a name for each run
 */
record SinkUnderTest(String name, Map<String, String> configuration) {

  SinkUnderTest {
    configuration = Map.copyOf(configuration);
  }

  static SinkUnderTest read(Path file) throws IOException {
    Map<String, String> settings =
        new ObjectMapper().readValue(Files.readString(file), new TypeReference<>() {});
    String name = String.valueOf(file.getFileName());
    return new SinkUnderTest(
        name.endsWith(".json") ? name.substring(0, name.length() - 5) : name, settings);
  }

  /** Returns the same sink with more settings and another name. */
  SinkUnderTest with(String newName, Map<String, String> more) {
    var settings = new LinkedHashMap<>(configuration);
    settings.putAll(more);
    return new SinkUnderTest(newName, settings);
  }

  /** Returns whether a value contains a placeholder. */
  boolean mentions(String placeholder) {
    return configuration.values().stream().anyMatch(value -> value.contains(placeholder));
  }

  /** Returns the settings with the placeholders replaced. */
  Map<String, String> settings(Map<String, String> replacements) {
    var settings = new LinkedHashMap<String, String>();
    configuration.forEach(
        (key, value) -> {
          String replaced = value;
          for (var each : replacements.entrySet()) {
            replaced = replaced.replace("${" + each.getKey() + '}', each.getValue());
          }
          settings.put(key, replaced);
        });
    return settings;
  }
}
