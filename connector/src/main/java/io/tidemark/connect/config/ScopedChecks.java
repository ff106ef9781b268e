package io.tidemark.connect.config;

import io.tidemark.avro.mapping.SchemaMapping;
import io.tidemark.store.table.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Pattern;

/** The checks of settings of single topics and tables, each as if it applied to the connector. */
record ScopedChecks(
    ConnectorConfig config, ScopedSettings scoped, NamedTopics topics, ConfigErrors errors) {
  // sales.orders
  private static final Pattern TABLE = Pattern.compile("[a-z0-9_]{1,128}[.][a-z0-9_]{1,128}");

  /** Adds the errors of these checks. Returns true if there were no errors. */
  boolean areRight() {
    boolean right = true;
    for (ScopedKey.Scope scope : ScopedKey.Scope.values()) {
      for (String name : scoped.names(scope)) {
        for (String key : scoped.own(scope, name).keySet()) {
          right &= isRight(new ScopedKey(scope, name, key));
        }
      }
    }
    for (String topic : scoped.names(ScopedKey.Scope.TOPIC)) {
      right &= areRight(ScopedKey.Scope.TOPIC, topic, scoped.connector());
    }
    Map<String, Set<ConnectorConfig>> bases = basesOfTables();
    for (String table : scoped.names(ScopedKey.Scope.TABLE)) {
      for (ConnectorConfig base : bases.getOrDefault(table, Set.of(scoped.connector()))) {
        right &= areRight(ScopedKey.Scope.TABLE, table, base);
      }
    }
    return right;
  }

  /** Checks the name of a key's topic or table, and that the key can apply to one topic. */
  private boolean isRight(ScopedKey each) {
    List<String> problems = new ArrayList<>();
    if (each.scope() == ScopedKey.Scope.TOPIC && !topics.mayContain(each.name())) {
      problems.add(
          "\"%s\" is not in topics, and topics.regex does not match it. Correct the name, or remove the key."
              .formatted(each.name()));
    }
    if (each.scope() == ScopedKey.Scope.TABLE && !TABLE.matcher(each.name()).matches()) {
      problems.add(
          "\"%s\" is not the name of a table in Hive. Write database.table in lower case."
              .formatted(each.name()));
    }
    if (each.key().equals(ConnectorConfig.HIVE_INTEGRATION)
        && !config.text(each.key()).trim().equalsIgnoreCase("true")) {
      problems.add(
          "it has an effect only with hive.integration=true of the connector: false leaves tables out of Hive. Remove the key, or set hive.integration=true.");
    }
    String global = config.text(ConnectorConfig.TIMESTAMP_EXTRACTOR);
    String value = config.text(each.toString());
    if (each.key().equals(ConnectorConfig.TIMESTAMP_EXTRACTOR)
        && !value.equals("RecordField")
        && !value.equals(global)
        && (value.equals("Wallclock") || global.equals("Wallclock"))) {
      problems.add(
          "Wallclock applies to all topics of a connector or to none. Set RecordField here, or give these topics a connector of their own.");
    }
    problems.forEach(problem -> errors.add(each.toString(), problem));
    return problems.isEmpty();
  }

  /** By the name of a table, the settings of its known topics, which the table's own override. */
  private Map<String, Set<ConnectorConfig>> basesOfTables() {
    Set<String> names = scoped.names(ScopedKey.Scope.TABLE);
    Map<String, String> ofTopics = new HashMap<>(config.given());
    for (String table : names) {
      for (String key : scoped.own(ScopedKey.Scope.TABLE, table).keySet()) {
        ofTopics.remove(new ScopedKey(ScopedKey.Scope.TABLE, table, key).toString());
      }
    }
    Optional<TableSettings> settings =
        names.isEmpty() ? Optional.empty() : RoutedTablesChecks.settings(config.with(ofTopics));
    if (settings.isEmpty()) {
      return Map.of();
    }
    Set<String> all = new LinkedHashSet<>(topics.listed());
    all.addAll(scoped.names(ScopedKey.Scope.TOPIC));
    Map<String, Set<ConnectorConfig>> bases = new HashMap<>();
    for (String topic : all) {
      ConnectorConfig base = scoped.over(ScopedKey.Scope.TOPIC, topic);
      for (Table table : RoutedTablesChecks.tables(settings.get(), topic).orElse(List.of())) {
        String name = table.name().toString();
        if (names.contains(name)) {
          bases.computeIfAbsent(name, absent -> new LinkedHashSet<>()).add(base);
        }
      }
    }
    return bases;
  }

  private boolean areRight(ScopedKey.Scope scope, String name, ConnectorConfig base) {
    SortedMap<String, String> own = scoped.own(scope, name);
    Map<String, List<String>> found = new LinkedHashMap<>();
    ConnectorConfig over = scoped.over(base, scope, name);
    for (String key : own.keySet()) {
      Optional.ofNullable(over.wrong().get(key))
          .ifPresent(error -> found.put(key, new ArrayList<>(List.of(error))));
    }
    if (found.isEmpty()) {
      // Errors of the overridden settings are reported by their own checks.
      Map<String, List<String>> known = deeper(base);
      deeper(over)
          .forEach(
              (key, messages) -> {
                if (!messages.equals(known.get(key))) {
                  String at = own.containsKey(key) ? key : own.firstKey();
                  found.computeIfAbsent(at, first -> new ArrayList<>()).addAll(messages);
                }
              });
    }
    found.forEach(
        (key, messages) ->
            messages.forEach(
                message -> errors.add(new ScopedKey(scope, name, key).toString(), message)));
    return found.isEmpty();
  }

  /** Runs the checks of settings of topics and tables that concern more than syntax. */
  private static Map<String, List<String>> deeper(ConnectorConfig config) {
    Map<String, List<String>> found = new LinkedHashMap<>();
    ConfigErrors errors =
        (key, message) -> found.computeIfAbsent(key, first -> new ArrayList<>()).add(message);
    TableChecks.partitions(config, errors);
    ConfigChecks.codec(config, errors);
    SchemaMapping unused = TableSettings.mapping(config, errors);
    ConfigChecks.location(config, errors);
    ConfigChecks.schemaConflicts(config, errors);
    ConfigChecks.holdOn(config, errors);
    return found;
  }
}
