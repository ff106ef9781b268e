package io.tidemark.connect.config;

import io.tidemark.store.IndentedTexts;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.jspecify.annotations.Nullable;

/**
 * Adds keys to a definition, each with its description in {@code keys.txt}, and numbers them within
 * their group. Not thread-safe.
 */
final class ConfigGroups {
  private final ConfigDef definition = new ConfigDef();
  private final Map<String, String> descriptions =
      new HashMap<>(IndentedTexts.read(ConfigGroups.class, "keys.txt"));
  private String group = "";
  private int order;

  void group(String name) {
    group = name;
    order = 0;
  }

  void required(String name, ConfigDef.@Nullable Validator validator) {
    add(name, ConfigDef.Type.STRING, ConfigDef.NO_DEFAULT_VALUE, validator, Importance.HIGH);
  }

  void text(String name, String byDefault, Importance importance) {
    add(name, ConfigDef.Type.STRING, byDefault, null, importance);
  }

  void text(String name, String byDefault, ConfigDef.Validator validator, Importance importance) {
    add(name, ConfigDef.Type.STRING, byDefault, validator, importance);
  }

  void choice(String name, String byDefault, Importance importance, String... values) {
    add(name, ConfigDef.Type.STRING, byDefault, ValidString.in(values), importance);
  }

  void flag(String name, boolean byDefault, Importance importance) {
    add(name, ConfigDef.Type.BOOLEAN, byDefault, null, importance);
  }

  void count(String name, int byDefault, int least, int most, Importance importance) {
    add(name, ConfigDef.Type.INT, byDefault, Range.between(least, most), importance);
  }

  void number(String name, long byDefault, long least, long most, Importance importance) {
    add(name, ConfigDef.Type.LONG, byDefault, Range.between(least, most), importance);
  }

  void add(
      String name,
      ConfigDef.Type type,
      @Nullable Object byDefault,
      ConfigDef.@Nullable Validator validator,
      Importance importance) {
    String text = descriptions.remove(name);
    if (text == null) {
      throw new IllegalStateException("keys.txt does not describe " + name);
    }
    order++;
    definition.define(
        name, type, byDefault, validator, importance, text, group, order, Width.LONG, name);
  }

  ConfigDef definition() {
    if (!descriptions.isEmpty()) {
      throw new IllegalStateException("keys.txt describes " + descriptions.keySet());
    }
    return definition;
  }
}
