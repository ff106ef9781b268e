package io.tidemark.connect.config;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The checks of what leads topics and records to tables. */
final class RoutingChecks {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");
  static final List<String> NAMING =
      List.of(
          ConnectorConfig.HIVE_DATABASE,
          ConnectorConfig.HIVE_TABLE_NAME,
          ConnectorConfig.HIVE_TABLE_LOCATION,
          ConnectorConfig.TOPIC_MAP,
          ConnectorConfig.RECORD_MAP,
          ConnectorConfig.FIELD_MAP);

  private final Map<String, String> named;
  private final ConfigChecks.Errors errors;
  private final NamedTopics topics;

  private RoutingChecks(Map<String, String> named, ConfigChecks.Errors errors) {
    this.named = named;
    this.errors = errors;
    this.topics = NamedTopics.of(named);
  }

  /** Adds what is wrong to a configuration's errors. */
  static void check(Map<String, String> named, ConfigChecks.Errors errors) {
    RoutingChecks checks = new RoutingChecks(named, errors);
    boolean right = checks.placeholders();
    right &= new ScopedChecks(named, checks.topics, errors).areRight();
    checks.names();
    checks.deadLetters();
    if (right) {
      new RoutedTablesChecks(named, checks.topics, errors).check();
    }
  }

  /** Only what a pattern captures can be put into a name. */
  private boolean placeholders() {
    String regex = named.getOrDefault(ConnectorConfig.TOPIC_CAPTURES, "");
    int groups;
    try {
      groups = regex.isBlank() ? 0 : Pattern.compile(regex).matcher("").groupCount();
    } catch (PatternSyntaxException e) {
      return false; // Its own form says so.
    }
    boolean right = true;
    boolean used = false;
    for (String key : named.keySet()) {
      String of = ScopedKey.parse(key).map(ScopedKey::key).orElse(key);
      if (!NAMING.contains(of)) {
        continue;
      }
      for (Matcher place = PLACEHOLDER.matcher(named.getOrDefault(key, "")); place.find(); ) {
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
              "%s stands for nothing: %s has %s. Use %s${1} for its first group, or correct that pattern."
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
          "has no effect: none of %s has a group of it. Put ${1} into one of them, or remove this key."
              .formatted(String.join(", ", NAMING)));
    }
    String database = named.getOrDefault(ConnectorConfig.HIVE_DATABASE, "");
    if (PLACEHOLDER.matcher(database).find()
        && named.getOrDefault(ConnectorConfig.COMPLETENESS_HIVE_DATABASE, "").isBlank()
        && CompletenessSettings.anyEnabled(named)) {
      errors.add(
          ConnectorConfig.COMPLETENESS_HIVE_DATABASE,
          "is not set, and hive.database is another one for each topic, so the ledger's tables have none. Set the database for them.");
    }
    return right;
  }

  /** Names in maps that no topic has, and names that Hive does not take. */
  private void names() {
    ways(named, "");
    for (String topic : ScopedKey.names(named, ScopedKey.Scope.TOPIC)) {
      Map<String, String> of = ScopedKey.over(named, ScopedKey.Scope.TOPIC, topic);
      if (!of.equals(named)) {
        ways(of, ScopedKey.Scope.TOPIC.prefix + topic + ".");
      }
    }
    eachMap(
        ConnectorConfig.TOPIC_MAP,
        map -> {
          for (String topic : map.byName().keySet()) {
            if (!topics.mayBeLanded(topic)) {
              errors.add(
                  ConnectorConfig.TOPIC_MAP,
                  "\"%s\" is none of topics, nor of topics.regex. Correct the name, or leave it out."
                      .formatted(topic));
            }
            for (String key : List.of(ConnectorConfig.RECORD_MAP, ConnectorConfig.FIELD_MAP)) {
              if (named.containsKey("topic." + topic + "." + key)) {
                errors.add(
                    ConnectorConfig.TOPIC_MAP,
                    "the topic %s goes by topic2table.map alone, so topic.%s.%s has no effect. Remove one of the two."
                        .formatted(topic, topic, key));
              }
            }
          }
          tableNames(ConnectorConfig.TOPIC_MAP, map);
        });
    named
        .keySet()
        .forEach(
            key -> {
              String of = ScopedKey.parse(key).map(ScopedKey::key).orElse(key);
              if (of.equals(ConnectorConfig.RECORD_MAP) || of.equals(ConnectorConfig.FIELD_MAP)) {
                eachMap(key, map -> tableNames(key, map));
              } else if (of.equals(ConnectorConfig.HIVE_TABLE_NAME)) {
                hiveName(key, named.getOrDefault(key, ""));
              }
            });
  }

  /** A field without a map, and the reverse; both ways at once. */
  private void ways(Map<String, String> of, String prefix) {
    boolean field = !of.getOrDefault(ConnectorConfig.FIELD_NAME, "").isBlank();
    boolean values = !of.getOrDefault(ConnectorConfig.FIELD_MAP, "").isBlank();
    if (field != values) {
      errors.add(
          prefix + (field ? ConnectorConfig.FIELD_MAP : ConnectorConfig.FIELD_NAME),
          "is not set, but %s is. Set both, or none."
              .formatted(field ? ConnectorConfig.FIELD_NAME : ConnectorConfig.FIELD_MAP));
    }
    if (values && !of.getOrDefault(ConnectorConfig.RECORD_MAP, "").isBlank()) {
      errors.add(
          prefix + ConnectorConfig.FIELD_MAP,
          "a topic goes by the names of its records or by a field, and %s is set, too. Remove one of the two; topic.NAME. in front has a key hold for one topic."
              .formatted(ConnectorConfig.RECORD_MAP));
    }
  }

  private void eachMap(String key, Consumer<NameMap> use) {
    NameMap map;
    try {
      map = NameMap.parse(named.getOrDefault(key, ""));
    } catch (IllegalArgumentException e) {
      return; // Its own form says so.
    }
    use.accept(map);
  }

  private void tableNames(String key, NameMap map) {
    map.byName().values().forEach(table -> chosenName(key, table));
    map.others().ifPresent(table -> chosenName(key, table));
  }

  private void chosenName(String key, String table) {
    int dot = table.indexOf('.');
    if (dot > 0 && ConfigForms.isHiveName(filled(table.substring(0, dot)))) {
      hiveName(key, table.substring(dot + 1));
    } else {
      hiveName(key, table);
    }
  }

  private void hiveName(String key, String table) {
    if (!ConfigForms.isHiveName(filled(table))) {
      errors.add(
          key,
          "\"%s\" is not a name that Hive takes: letters, digits and '_', with ${topic} for the topic."
              .formatted(table));
    }
  }

  private static String filled(String template) {
    return ConfigForms.GROUP.matcher(template.replace("${topic}", "t")).replaceAll("t");
  }

  private void deadLetters() {
    if ("dead-letter".equals(named.get(ConnectorConfig.UNROUTED))
        && !DeadLetterSettings.isConfigured(named)) {
      errors.add(
          ConnectorConfig.UNROUTED,
          "%s=dead-letter needs a dead letter topic. Set errors.tolerance=all and errors.deadletterqueue.topic.name."
              .formatted(ConnectorConfig.UNROUTED));
    }
  }
}
