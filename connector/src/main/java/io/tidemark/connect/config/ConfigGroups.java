package io.tidemark.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.jspecify.annotations.Nullable;

/** Adds keys to a definition, and numbers them within their group. Not thread-safe. */
final class ConfigGroups {
  private final ConfigDef definition = new ConfigDef();
  private String group = "";
  private int order;

  void group(String name) {
    group = name;
    order = 0;
  }

  void add(
      String name,
      ConfigDef.Type type,
      @Nullable Object defaultValue,
      ConfigDef.@Nullable Validator validator,
      Importance importance,
      String documentation) {
    order++;
    definition.define(
        name,
        type,
        defaultValue,
        validator,
        importance,
        documentation,
        group,
        order,
        Width.LONG,
        name);
  }

  ConfigDef definition() {
    return definition;
  }
}
