package io.tidemark.connect.config;

import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.PartitionSpec;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;

/** The checks of the tables that the topics lead to, held beside each other. */
final class RoutedTablesChecks {
  private final Map<String, String> named;
  private final NamedTopics topics;
  private final ConfigChecks.Errors errors;

  RoutedTablesChecks(Map<String, String> named, NamedTopics topics, ConfigChecks.Errors errors) {
    this.named = named;
    this.topics = topics;
    this.errors = errors;
  }

  /** Adds what is wrong to the errors. */
  void check() {
    Optional<TableSettings> settings = settings(named);
    if (settings.isEmpty()) {
      return; // What is wrong is told by the keys' own checks.
    }
    Map<TableName, Table> tables = new HashMap<>();
    Map<TableName, String> firsts = new HashMap<>();
    for (String topic : topics.listed()) {
      List<Table> ofTopic = settings.get().tables(topic);
      if (ofTopic.isEmpty() && !"dead-letter".equals(named.get(ConnectorConfig.UNROUTED))) {
        errors.add(
            ConnectorConfig.TOPIC_CAPTURES,
            "does not match the topic %s, and topic2table.map does not name it. Change the pattern, or name the topic there."
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
      for (String table : ScopedKey.names(named, ScopedKey.Scope.TABLE)) {
        if (tables.keySet().stream().noneMatch(name -> name.toString().equals(table))) {
          errors.add(
              ScopedKey.Scope.TABLE.prefix + table,
              "\"%s\" is no table of this connector, which has %s. Write database.table in small letters, or remove its keys."
                  .formatted(
                      table,
                      tables.keySet().stream()
                          .sorted(Comparator.comparing(TableName::toString))
                          .toList()));
        }
      }
    }
    if (named.containsKey("topics.regex")) {
      anyTwo(settings.get());
    }
  }

  /** Of the topics of a pattern nobody knows the names here: what holds for any two is told. */
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
          "several topics cannot land in the one table \"%s\" so. Use ${topic} in hive.table.name; or, if they are to share it, set topic2table.map=*:%s."
              .formatted(one.get(0).name().table(), one.get(0).name().table()));
    }
  }

  /** The log of a topic is accounted for as a whole, or not. */
  private void counted(String topic, List<Table> tables) {
    Optional<Table> with = tables.stream().filter(table -> table.options().reckoned()).findFirst();
    Optional<Table> without =
        tables.stream().filter(table -> !table.options().reckoned()).findFirst();
    if (with.isPresent() && without.isPresent()) {
      errors.add(
          ConnectorConfig.COMPLETENESS_ENABLED,
          "the topic %s feeds %s, of which it is to be said when it is complete, and %s, of which it is not. A topic is counted for all of its tables or for none: set topic.%s.completeness.enabled instead of keys of its tables."
              .formatted(topic, with.get().name(), without.get().name(), topic));
    }
  }

  /** No two tables lie in each other. */
  private void apart(Collection<Table> tables) {
    List<Table> sorted =
        tables.stream().sorted(Comparator.comparing(table -> inOrder(table.layout()))).toList();
    for (int i = 1; i < sorted.size(); i++) {
      Table outer = sorted.get(i - 1);
      Table inner = sorted.get(i);
      if (inOrder(inner.layout()).startsWith(inOrder(outer.layout()))) {
        errors.add(
            ConnectorConfig.HIVE_TABLE_LOCATION,
            "the tables %s and %s would lie in %s and %s, one in the other. Choose locations apart, such as with ${database} and ${table} in them."
                .formatted(
                    outer.name(), inner.name(), outer.layout().root(), inner.layout().root()));
        return;
      }
    }
  }

  /** So that what lies in a directory follows it. */
  private static String inOrder(TableLayout layout) {
    return layout.root().value().replace('/', '\0') + '\0';
  }

  /** A group waits for all of its members. */
  private void groups(Map<TableName, Table> tables) {
    SortedMap<String, List<String>> groups;
    try {
      groups =
          CompletenessSettings.groups(named.getOrDefault(ConnectorConfig.COMPLETENESS_GROUPS, ""));
    } catch (IllegalArgumentException e) {
      return; // Its own check says so.
    }
    groups.forEach(
        (group, members) ->
            tables.values().stream()
                .filter(table -> members.contains(table.name().toString()))
                .filter(table -> !table.options().reckoned())
                .forEach(
                    table ->
                        errors.add(
                            ConnectorConfig.COMPLETENESS_GROUPS,
                            "the group %s would never be complete: of %s nothing is said, by completeness.enabled=false for it. Leave the table out of the group, or remove that key."
                                .formatted(group, table.name()))));
  }

  private void beside(String first, Table other, String topic, Table table) {
    if (!other.layout().equals(table.layout())) {
      errors.add(
          ConnectorConfig.HIVE_TABLE_NAME,
          "the topics %s and %s would both be the Hive table %s. Give each a hive.table.name of its own (topic.%s.hive.table.name); or, if they are to share it, name both in topic2table.map."
              .formatted(first, topic, table.name(), topic));
    } else if (!same(other.partitioning(), table.partitioning())) {
      errors.add(
          ConnectorConfig.PARTITIONER_CLASS,
          "the topics %s and %s share the table %s and would lay it out in two ways, by %s and by %s. Set its partitioner by table.%s.partitioner.class and the keys that belong to it."
              .formatted(
                  first,
                  topic,
                  table.name(),
                  other.partitioning(),
                  table.partitioning(),
                  table.name()));
    } else if (!other.options().agreesWith(table.options())) {
      errors.add(
          ConnectorConfig.COMPLETENESS_ENABLED,
          "the topics %s and %s share the table %s and differ in completeness.enabled, completeness.success.file or completeness.empty.partitions, which are of the table. Set them by table.%s.completeness.enabled and so on."
              .formatted(first, topic, table.name(), table.name()));
    }
  }

  private static boolean same(PartitionSpec one, PartitionSpec other) {
    return one.equals(other) || one.toString().equals(other.toString());
  }

  static Optional<TableSettings> settings(Map<String, String> named) {
    Map<String, String> complete = new HashMap<>(named);
    for (ConfigValue value : ConnectorConfig.DEFINITION.validateAll(named).values()) {
      if (!value.errorMessages().isEmpty()) {
        boolean ours =
            RoutingChecks.NAMING.contains(value.name())
                || ScopedKey.Scope.TOPIC.keys().contains(value.name());
        if (ours) {
          return Optional.empty();
        }
        complete.remove(value.name());
      }
    }
    // What is required, and is wrong or missing, decides on no table.
    for (String required :
        List.of(
            ConnectorConfig.STORE_URL,
            ConnectorConfig.KAFKA_BOOTSTRAP_SERVERS,
            ConnectorConfig.REGISTRY_URL)) {
      complete.putIfAbsent(required, "not asked");
    }
    try {
      return Optional.of(new TableSettings(new ConnectorConfig(complete)));
    } catch (ConfigException | IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }
}
