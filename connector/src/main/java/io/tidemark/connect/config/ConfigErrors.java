package io.tidemark.connect.config;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;

/** Receives the errors of a configuration. */
@FunctionalInterface
interface ConfigErrors {
  void add(String key, String message);

  /** Adds errors to the values of an answer, and values for keys without a definition. */
  static ConfigErrors into(Config answer) {
    Map<String, ConfigValue> values = new LinkedHashMap<>();
    answer.configValues().forEach(value -> values.put(value.name(), value));
    return (key, message) ->
        values
            .computeIfAbsent(
                key,
                name -> {
                  ConfigValue added = new ConfigValue(name);
                  answer.configValues().add(added);
                  return added;
                })
            .addErrorMessage(message);
  }
}
