package io.tidemark.connect.config;

import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;

/** The checks of the topics' tables against each other. */
record RoutedTablesChecks(
    ConnectorConfig config, ScopedSettings scoped, NamedTopics topics, ConfigErrors errors) {
  private static final int TABLES_SHOWN = 20;

  void check() {
    Optional<TableSettings> settings = settings(config);
    if (settings.isEmpty()) {
      return; // The keys' own checks report the errors.
    }
    Map<TableName, Table> tables = new HashMap<>();
    Map<TableName, String> firsts = new HashMap<>();
    for (String topic : topics.listed()) {
      Optional<List<Table>> read = tables(settings.get(), topic);
      if (read.isEmpty()) {
        return; // The keys' own checks report the errors.
      }
      List<Table> ofTopic = read.get();
      if (ofTopic.isEmpty() && !config.text(ConnectorConfig.UNROUTED).equals("dead-letter")) {
        errors.add(
            ConnectorConfig.TOPIC_CAPTURES,
            "does not match the topic %s, and topic2table.map does not name it. Change the expression, or name the topic in topic2table.map."
                .formatted(topic));
      }
      counted(topic, ofTopic);
      for (Table table : ofTopic) {
        Table other = tables.putIfAbsent(table.name(), table);
        String first = firsts.putIfAbsent(table.name(), topic);
        if (other != null && first != null) {
          beside(first, other, topic, table);
        }
      }
    }
    apart(tables.values());
    groups(tables);
    if (!topics.listed().isEmpty()) {
      absent(tables.keySet());
    }
    if (config.given().containsKey("topics.regex")) {
      anyTwo(settings.get());
    }
  }

  private void absent(Set<TableName> tables) {
    List<String> present = tables.stream().map(TableName::toString).sorted().toList();
    Set<String> names = Set.copyOf(present);
    String shown =
        present.size() <= TABLES_SHOWN
            ? present.toString()
            : "%s and %d more"
                .formatted(present.subList(0, TABLES_SHOWN), present.size() - TABLES_SHOWN);
    for (String table : scoped.names(ScopedKey.Scope.TABLE)) {
      if (!names.contains(table)) {
        errors.add(
            ScopedKey.Scope.TABLE.prefix + table,
            "\"%s\" is not a table of this connector, which has %s. Write database.table in lower case, or remove its keys."
                .formatted(table, shown));
      }
    }
  }

  /** Checks two invented topics of topics.regex: those of Kafka are unknown at validation. */
  private void anyTwo(TableSettings settings) {
    List<Table> one = settings.tables("any-one");
    List<Table> other = settings.tables("any-other");
    List<Table> all = new ArrayList<>(one);
    other.stream()
        .filter(table -> one.stream().noneMatch(each -> each.name().equals(table.name())))
        .forEach(all::add);
    apart(all);
    boolean shared =
        one.size() == 1
            && other.size() == 1
            && one.get(0).name().equals(other.get(0).name())
            && !one.get(0).layout().equals(other.get(0).layout());
    if (shared) {
      errors.add(
          ConnectorConfig.HIVE_TABLE_NAME,
          "several topics cannot land in the table \"%s\" by hive.table.name alone. Use ${topic} in hive.table.name; or, if the topics are to share the table, set topic2table.map=*:%s."
              .formatted(one.get(0).name().table(), one.get(0).name().table()));
    }
  }

  /** Rejects a topic if some of its tables are counted for completeness and others are not. */
  private void counted(String topic, List<Table> tables) {
    Optional<Table> with = tables.stream().filter(table -> table.options().reckoned()).findFirst();
    Optional<Table> without =
        tables.stream().filter(table -> !table.options().reckoned()).findFirst();
    if (with.isPresent() && without.isPresent()) {
      errors.add(
          ConnectorConfig.COMPLETENESS_ENABLED,
          "completeness is enabled for the table %2$s of the topic %1$s, and disabled for its table %3$s. A topic is counted for all of its tables or for none: set topic.%4$s.completeness.enabled instead of keys of its tables."
              .formatted(topic, with.get().name(), without.get().name(), topic));
    }
  }

  private void apart(Collection<Table> tables) {
    List<Table> sorted =
        tables.stream().sorted(Comparator.comparing(table -> inOrder(table.layout()))).toList();
    for (int i = 1; i < sorted.size(); i++) {
      Table outer = sorted.get(i - 1);
      Table inner = sorted.get(i);
      if (inOrder(inner.layout()).startsWith(inOrder(outer.layout()))) {
        errors.add(
            ConnectorConfig.HIVE_TABLE_LOCATION,
            "the tables %s and %s would be in %s and %s, one in the other. Choose locations apart, such as with ${database} and ${table} in them."
                .formatted(
                    outer.name(), inner.name(), outer.layout().root(), inner.layout().root()));
        return;
      }
    }
  }

  /** A sort key by which a directory is followed by the directories in it. */
  private static String inOrder(TableLayout layout) {
    return layout.root().value().replace('/', '\0') + '\0';
  }

  /** Rejects groups with a member that is never complete. */
  private void groups(Map<TableName, Table> tables) {
    List<Table> uncounted =
        tables.values().stream().filter(table -> !table.options().reckoned()).toList();
    ConfigForms.value(
            config.text(ConnectorConfig.COMPLETENESS_GROUPS), CompletenessSettings::groups)
        .orElse(Collections.emptySortedMap())
        .forEach(
            (group, members) -> {
              Set<String> names = Set.copyOf(members);
              for (Table table : uncounted) {
                if (names.contains(table.name().toString())) {
                  errors.add(
                      ConnectorConfig.COMPLETENESS_GROUPS,
                      "the group %s would never be complete, because completeness.enabled=false applies to its table %s. Leave the table out of the group, or remove that key."
                          .formatted(group, table.name()));
                }
              }
            });
  }

  private void beside(String first, Table other, String topic, Table table) {
    if (!other.layout().equals(table.layout())) {
      errors.add(
          ConnectorConfig.HIVE_TABLE_NAME,
          "the topics %s and %s would both be the Hive table %s. Give each a hive.table.name of its own (topic.%s.hive.table.name); or, if they are to share the table, name both in topic2table.map."
              .formatted(first, topic, table.name(), topic));
    } else if (!other.partitioning().equals(table.partitioning())
        && !other.partitioning().toString().equals(table.partitioning().toString())) {
      errors.add(
          ConnectorConfig.PARTITIONER_CLASS,
          "the topics %1$s and %2$s share the table %3$s and would partition it differently, by %4$s and by %5$s. Set its partitioner by table.%3$s.partitioner.class and the keys that belong to it."
              .formatted(first, topic, table.name(), other.partitioning(), table.partitioning()));
    } else if (!other.options().agreesWith(table.options())) {
      errors.add(
          ConnectorConfig.COMPLETENESS_ENABLED,
          "the topics %s and %s share the table %s and differ in hive.integration, completeness.enabled, completeness.success.file, completeness.empty.partitions, types or fields, schema.compatibility or on.schema.conflict, which apply to the whole table. Set them by table.%s.completeness.enabled and so on."
              .formatted(first, topic, table.name(), table.name()));
    }
  }

  /** Empty if the topic's settings have errors, which other checks report. */
  static Optional<List<Table>> tables(TableSettings settings, String topic) {
    try {
      return Optional.of(settings.tables(topic));
    } catch (ConfigException e) {
      return Optional.empty();
    }
  }

  /** Empty if the settings have errors, which other checks report. */
  static Optional<TableSettings> settings(ConnectorConfig config) {
    boolean wrong =
        config.wrong().keySet().stream()
            .anyMatch(
                key ->
                    RoutingChecks.NAMING.contains(key)
                        || ScopedKey.Scope.TOPIC.keys().contains(key));
    try {
      return wrong ? Optional.empty() : Optional.of(new TableSettings(config));
    } catch (ConfigException e) {
      return Optional.empty();
    }
  }
}
