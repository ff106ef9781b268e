package io.tidemark.connect.config;

import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;

/** Defines every key with its default, bounds and description, in the groups of CONFIG.md. */
final class ConfigDefinition {
  private ConfigDefinition() {}

  static ConfigDef definition() {
    var keys = new ConfigGroups();
    ServiceKeys.define(keys);
    TableKeys.define(keys);
    TaskKeys.define(keys);
    CompletenessKeys.define(keys);
    return keys.definition()
        .defineInternal(ConnectorConfig.TASK_ID, ConfigDef.Type.INT, 0, Importance.LOW);
  }
}
