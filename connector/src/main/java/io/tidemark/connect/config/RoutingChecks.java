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
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;

/** The checks of what leads topics and records to tables, and of the settings of single ones. */
final class RoutingChecks {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");
  private static final List<String> NAMING =
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
      checks.tables();
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

  /** The tables of the topics that are named, held beside each other. */
  private void tables() {
    Optional<TableSettings> settings = settings();
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

  private Optional<TableSettings> settings() {
    Map<String, String> complete = new HashMap<>(named);
    for (ConfigValue value : ConnectorConfig.DEFINITION.validateAll(named).values()) {
      if (!value.errorMessages().isEmpty()) {
        boolean ours =
            NAMING.contains(value.name()) || ScopedKey.Scope.TOPIC.keys().contains(value.name());
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
