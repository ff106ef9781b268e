package io.tidemark.connect.config;

import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The checks of the settings that map topics and records to tables. */
record RoutingChecks(
    ConnectorConfig config, ScopedSettings scoped, NamedTopics topics, ConfigErrors errors) {
  static final List<String> NAMING =
      List.of(
          ConnectorConfig.HIVE_DATABASE,
          ConnectorConfig.HIVE_TABLE_NAME,
          ConnectorConfig.HIVE_TABLE_LOCATION,
          ConnectorConfig.TOPIC_MAP,
          ConnectorConfig.RECORD_MAP,
          ConnectorConfig.FIELD_MAP);

  void check() {
    boolean right = placeholders();
    right &= new ScopedChecks(config, scoped, topics, errors).areRight();
    names();
    if (right) {
      new RoutedTablesChecks(config, scoped, topics, errors).check();
    }
  }

  /** Checks that each placeholder in a name is known, or is a group of the regular expression. */
  private boolean placeholders() {
    String regex = config.text(ConnectorConfig.TOPIC_CAPTURES);
    if (config.wrong().containsKey(ConnectorConfig.TOPIC_CAPTURES)) {
      return false;
    }
    int groups = regex.isBlank() ? 0 : Pattern.compile(regex).matcher("").groupCount();
    boolean right = true;
    boolean used = false;
    for (String key : config.given().keySet()) {
      String of = ScopedKey.parse(key).map(ScopedKey::key).orElse(key);
      if (!NAMING.contains(of)) {
        continue;
      }
      for (Matcher place = ConfigForms.PLACEHOLDER.matcher(config.text(key)); place.find(); ) {
        String what = place.group(1);
        boolean number = what.matches("[0-9]{1,3}");
        used |= number;
        if (what.equals("topic") && !of.equals(ConnectorConfig.HIVE_DATABASE)) {
          continue;
        }
        if (of.equals(ConnectorConfig.HIVE_TABLE_LOCATION)
            && (what.equals(TableSettings.DATABASE) || what.equals(TableSettings.TABLE))) {
          continue;
        }
        if (!number || regex.isBlank() || Integer.parseInt(what) > groups) {
          right = false;
          errors.add(
              key,
              "%s has no meaning: %s has %s. Use %s${1} for its first group, or correct that expression."
                  .formatted(
                      place.group(),
                      ConnectorConfig.TOPIC_CAPTURES,
                      regex.isBlank() ? "no value" : groups + " groups",
                      of.equals(ConnectorConfig.HIVE_DATABASE)
                          ? ""
                          : "${topic} for the topic, or "));
        }
      }
    }
    if (!regex.isBlank() && !used && right) {
      errors.add(
          ConnectorConfig.TOPIC_CAPTURES,
          "has no effect: none of %s contains one of its groups. Put ${1} into one of them, or remove this key."
              .formatted(String.join(", ", NAMING)));
    }
    String database = config.text(ConnectorConfig.HIVE_DATABASE);
    if (ConfigForms.PLACEHOLDER.matcher(database).find()
        && config.text(ConnectorConfig.COMPLETENESS_HIVE_DATABASE).isBlank()
        && config.completeness().anyEnabled()) {
      errors.add(
          ConnectorConfig.COMPLETENESS_HIVE_DATABASE,
          "is not set, and hive.database depends on the topic, so it cannot name the database of the ledger's tables. Set the database for them.");
    }
    return right;
  }

  private void names() {
    ways(config, "");
    for (String topic : scoped.names(ScopedKey.Scope.TOPIC)) {
      ConnectorConfig of = scoped.over(ScopedKey.Scope.TOPIC, topic);
      if (of != scoped.connector()) {
        ways(of, ScopedKey.Scope.TOPIC.prefix + topic + ".");
      }
    }
    eachMap(
        ConnectorConfig.TOPIC_MAP,
        map -> {
          for (String topic : map.byName().keySet()) {
            if (!topics.mayContain(topic)) {
              errors.add(
                  ConnectorConfig.TOPIC_MAP,
                  "\"%s\" is not in topics, and topics.regex does not match it. Correct the name, or remove it."
                      .formatted(topic));
            }
            for (String key : List.of(ConnectorConfig.RECORD_MAP, ConnectorConfig.FIELD_MAP)) {
              if (config.given().containsKey("topic." + topic + "." + key)) {
                errors.add(
                    ConnectorConfig.TOPIC_MAP,
                    "topic2table.map alone decides on the topic %s, so topic.%s.%s has no effect. Remove one of the two."
                        .formatted(topic, topic, key));
              }
            }
          }
          tableNames(ConnectorConfig.TOPIC_MAP, map);
        });
    config
        .given()
        .keySet()
        .forEach(
            key -> {
              String of = ScopedKey.parse(key).map(ScopedKey::key).orElse(key);
              if (of.equals(ConnectorConfig.RECORD_MAP) || of.equals(ConnectorConfig.FIELD_MAP)) {
                eachMap(key, map -> tableNames(key, map));
              } else if (of.equals(ConnectorConfig.HIVE_TABLE_NAME)) {
                hiveName(key, config.text(key));
              }
            });
  }

  /** Rejects a field without a map, a map without a field, and two kinds of maps at once. */
  private void ways(ConnectorConfig of, String prefix) {
    boolean field = !of.text(ConnectorConfig.FIELD_NAME).isBlank();
    boolean values = !of.text(ConnectorConfig.FIELD_MAP).isBlank();
    if (field != values) {
      errors.add(
          prefix + (field ? ConnectorConfig.FIELD_MAP : ConnectorConfig.FIELD_NAME),
          "is not set, but %s is. Set both, or none."
              .formatted(field ? ConnectorConfig.FIELD_NAME : ConnectorConfig.FIELD_MAP));
    }
    if (values && !of.text(ConnectorConfig.RECORD_MAP).isBlank()) {
      errors.add(
          prefix + ConnectorConfig.FIELD_MAP,
          "the tables of a topic are selected by record names or by a field, and %s is set as well. Remove one of the two; with the prefix topic.NAME. a key applies to one topic only."
              .formatted(ConnectorConfig.RECORD_MAP));
    }
  }

  private void eachMap(String key, Consumer<NameMap> use) {
    ConfigForms.value(config.text(key), NameMap::parse).ifPresent(use);
  }

  private void tableNames(String key, NameMap map) {
    map.byName().values().forEach(table -> chosenName(key, table));
    map.others().ifPresent(table -> chosenName(key, table));
  }

  private void chosenName(String key, String table) {
    int dot = table.indexOf('.');
    if (dot > 0 && ConfigForms.IS_HIVE_NAME.test(filled(table.substring(0, dot)))) {
      hiveName(key, table.substring(dot + 1));
    } else {
      hiveName(key, table);
    }
  }

  private void hiveName(String key, String table) {
    if (!ConfigForms.IS_HIVE_NAME.test(filled(table))) {
      errors.add(
          key,
          "\"%s\" is not a name that Hive accepts. Use letters, digits and '_', with ${topic} for the topic's name."
              .formatted(table));
    }
  }

  private static String filled(String template) {
    return ConfigForms.GROUP.matcher(template.replace("${topic}", "t")).replaceAll("t");
  }
}
