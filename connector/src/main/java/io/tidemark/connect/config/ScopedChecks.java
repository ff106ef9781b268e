package io.tidemark.connect.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigValue;

/** The checks of settings of single topics and tables, each as if it applied to the connector. */
final class ScopedChecks {
  // sales.orders
  private static final Pattern TABLE = Pattern.compile("[a-z0-9_]{1,128}[.][a-z0-9_]{1,128}");

  private final Map<String, String> named;
  private final NamedTopics topics;
  private final ConfigChecks.Errors errors;

  ScopedChecks(Map<String, String> named, NamedTopics topics, ConfigChecks.Errors errors) {
    this.named = named;
    this.topics = topics;
    this.errors = errors;
  }

  /** Adds the errors of these checks. Returns true if there were no errors. */
  boolean areRight() {
    boolean right = true;
    String global = named.getOrDefault(ConnectorConfig.TIMESTAMP_EXTRACTOR, "Record");
    for (ScopedKey each : ScopedKey.all(named).keySet()) {
      if (each.scope() == ScopedKey.Scope.TOPIC && !topics.mayBeLanded(each.name())) {
        right = false;
        errors.add(
            each.toString(),
            "\"%s\" is not in topics, and topics.regex does not match it. Correct the name, or remove the key."
                .formatted(each.name()));
      }
      if (each.scope() == ScopedKey.Scope.TABLE && !TABLE.matcher(each.name()).matches()) {
        right = false;
        errors.add(
            each.toString(),
            "\"%s\" is not the name of a table in Hive. Write database.table in small letters."
                .formatted(each.name()));
      }
      String value = named.getOrDefault(each.toString(), "");
      if (each.key().equals(ConnectorConfig.TIMESTAMP_EXTRACTOR)
          && !value.equals("RecordField")
          && !value.equals(global)
          && (value.equals("Wallclock") || global.equals("Wallclock"))) {
        right = false;
        errors.add(
            each.toString(),
            "Wallclock applies to all topics of a connector or to none. Set RecordField here, or give these topics a connector of their own.");
      }
    }
    for (ScopedKey.Scope scope : ScopedKey.Scope.values()) {
      for (String name : ScopedKey.names(named, scope)) {
        for (Map<String, String> base : bases(scope, name)) {
          right &= areRight(scope, name, base);
        }
      }
    }
    return right;
  }

  /** Returns the settings that a topic or table overrides: for a table, those of its topics. */
  private Set<Map<String, String>> bases(ScopedKey.Scope scope, String name) {
    if (scope == ScopedKey.Scope.TOPIC) {
      return Set.of(named);
    }
    Map<String, String> ofTopics = new HashMap<>(named);
    ScopedKey.all(named).keySet().stream()
        .filter(each -> each.scope() == ScopedKey.Scope.TABLE)
        .forEach(each -> ofTopics.remove(each.toString()));
    Optional<TableSettings> settings = RoutedTablesChecks.settings(ofTopics);
    Set<Map<String, String>> bases = new LinkedHashSet<>();
    if (settings.isPresent()) {
      Stream.concat(
              topics.listed().stream(), ScopedKey.names(named, ScopedKey.Scope.TOPIC).stream())
          .filter(
              topic ->
                  settings.get().tables(topic).stream()
                      .anyMatch(table -> table.name().toString().equals(name)))
          .forEach(topic -> bases.add(ScopedKey.over(named, ScopedKey.Scope.TOPIC, topic)));
    }
    return bases.isEmpty() ? Set.of(named) : bases;
  }

  private boolean areRight(ScopedKey.Scope scope, String name, Map<String, String> base) {
    Map<String, String> over = ScopedKey.over(base, scope, name);
    Map<String, List<String>> found = new LinkedHashMap<>();
    Map<String, ConfigValue> forms = ConnectorConfig.DEFINITION.validateAll(over);
    List<String> keys =
        ScopedKey.all(named).keySet().stream()
            .filter(each -> each.scope() == scope && each.name().equals(name))
            .map(ScopedKey::key)
            .toList();
    for (String key : keys) {
      ConfigValue value = forms.get(key);
      if (value != null && !value.errorMessages().isEmpty()) {
        found.put(key, new ArrayList<>(value.errorMessages()));
      }
    }
    if (found.isEmpty()) {
      Config deeper = deeper(over);
      // Errors of the overridden settings are reported by their own checks.
      Config whole = deeper(base);
      Map<String, List<String>> known = new HashMap<>();
      whole.configValues().forEach(value -> known.put(value.name(), value.errorMessages()));
      deeper
          .configValues()
          .forEach(
              value -> {
                if (!value.errorMessages().equals(known.get(value.name()))) {
                  String at = keys.contains(value.name()) ? value.name() : keys.get(0);
                  found.computeIfAbsent(at, key -> new ArrayList<>()).addAll(value.errorMessages());
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
  private static Config deeper(Map<String, String> named) {
    Config config = new Config(new ArrayList<>());
    ConfigChecks.Errors found = new ConfigChecks.Errors(config);
    TableChecks.partitions(named, found);
    ConfigChecks.codec(named, found);
    ConfigChecks.location(named, found);
    ConfigChecks.holdOn(named, found);
    return config;
  }
}
