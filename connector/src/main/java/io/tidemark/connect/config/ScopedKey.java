package io.tidemark.connect.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A setting of one topic or table, over that of the connector. Examples: {@code
 * topic.orders.v2.hive.table.name}, {@code table.sales.orders.partitioner.class}.
 *
 * @param name of the topic, or of the table as {@code database.table}
 * @param key what it sets
 */
record ScopedKey(Scope scope, String name, String key) {
  private static final List<String> OF_BOTH =
      List.of(
          ConnectorConfig.PARTITIONER_CLASS,
          ConnectorConfig.PARTITION_FIELD_NAME,
          ConnectorConfig.PATH_FORMAT,
          ConnectorConfig.PARTITION_DURATION_MS,
          ConnectorConfig.LOCALE,
          ConnectorConfig.TIMEZONE,
          ConnectorConfig.TIMESTAMP_EXTRACTOR,
          ConnectorConfig.TIMESTAMP_FIELD,
          ConnectorConfig.HIVE_TABLE_LOCATION,
          ConnectorConfig.AVRO_CODEC,
          ConnectorConfig.AVRO_CODEC_LEVEL,
          ConnectorConfig.COMPLETENESS_ENABLED,
          ConnectorConfig.COMPLETENESS_SUCCESS_FILE,
          ConnectorConfig.COMPLETENESS_EMPTY_PARTITIONS);

  private static final List<String> OF_TOPIC =
      Stream.concat(
              OF_BOTH.stream(),
              Stream.of(
                  ConnectorConfig.HIVE_DATABASE,
                  ConnectorConfig.HIVE_TABLE_NAME,
                  ConnectorConfig.RECORD_MAP,
                  ConnectorConfig.FIELD_NAME,
                  ConnectorConfig.FIELD_MAP,
                  ConnectorConfig.COMPLETENESS_IDLE,
                  ConnectorConfig.COMPLETENESS_HOLD_ON))
          .toList();

  private static final List<String> OF_TABLE =
      Stream.concat(OF_BOTH.stream(), Stream.of(ConnectorConfig.HIVE_TABLE_PROPERTIES)).toList();

  /** What a setting is of. */
  enum Scope {
    TOPIC("topic."),
    TABLE("table.");

    final String prefix;

    Scope(String prefix) {
      this.prefix = prefix;
    }

    /** What can be set of it. */
    List<String> keys() {
      return this == TOPIC ? OF_TOPIC : OF_TABLE;
    }
  }

  /** Reads the name of a setting; empty where it is none of a topic or a table. */
  static Optional<ScopedKey> parse(String setting) {
    if (ConnectorConfig.DEFINITION.names().contains(setting)) {
      return Optional.empty(); // topic.capture.groups.regex
    }
    for (Scope scope : Scope.values()) {
      if (setting.startsWith(scope.prefix)) {
        return parse(scope, setting.substring(scope.prefix.length()));
      }
    }
    return Optional.empty();
  }

  private static Optional<ScopedKey> parse(Scope scope, String rest) {
    int own = rest.indexOf("." + ConnectorConfig.PARTITIONER_CONFIG_PREFIX);
    if (own > 0) {
      return Optional.of(new ScopedKey(scope, rest.substring(0, own), rest.substring(own + 1)));
    }
    return scope.keys().stream()
        .filter(key -> rest.endsWith("." + key) && rest.length() > key.length() + 1)
        .map(key -> new ScopedKey(scope, rest.substring(0, rest.length() - key.length() - 1), key))
        .findFirst();
  }

  /** Whether a setting begins as those of topics and tables do. */
  static boolean looksScoped(String setting) {
    return Stream.of(Scope.values()).anyMatch(scope -> setting.startsWith(scope.prefix))
        && !ConnectorConfig.DEFINITION.names().contains(setting);
  }

  /** What is wrong with a setting that begins as those of topics and tables do, and is none. */
  static String problem(String setting) {
    Scope scope = setting.startsWith(Scope.TOPIC.prefix) ? Scope.TOPIC : Scope.TABLE;
    return "is no key of this connector, so nothing would read it. A key that begins with %s goes on with a name and one of %s. Correct or remove it."
        .formatted(
            scope.prefix,
            Stream.concat(
                    scope.keys().stream(),
                    Stream.of(ConnectorConfig.PARTITIONER_CONFIG_PREFIX + "…"))
                .collect(Collectors.joining(", ")));
  }

  /** All settings of topics and tables in a configuration, as they stand there. */
  static Map<ScopedKey, String> all(Map<String, String> properties) {
    Map<ScopedKey, String> all = new HashMap<>();
    properties.forEach(
        (setting, value) -> parse(setting).ifPresent(scoped -> all.put(scoped, value)));
    return all;
  }

  /** The names of topics or tables that have settings of their own. */
  static List<String> names(Map<String, String> properties, Scope scope) {
    List<String> names = new ArrayList<>();
    for (ScopedKey each : all(properties).keySet()) {
      if (each.scope() == scope && !names.contains(each.name())) {
        names.add(each.name());
      }
    }
    names.sort(null);
    return names;
  }

  /** A configuration as it is for one topic or table. */
  static Map<String, String> over(Map<String, String> properties, Scope scope, String name) {
    Map<String, String> own = new HashMap<>();
    all(properties)
        .forEach(
            (scoped, value) -> {
              if (scoped.scope() == scope && scoped.name().equals(name)) {
                own.put(scoped.key(), value);
              }
            });
    Map<String, String> over = new HashMap<>(properties);
    if (own.containsKey(ConnectorConfig.AVRO_CODEC)) {
      over.remove(ConnectorConfig.AVRO_CODEC_LEVEL); // It is of the other codec.
    }
    over.putAll(own);
    // What is set of all, and has no effect with what is set of the one, is not meant for it. One
    // key may have been the last that gave another an effect.
    while (!own.isEmpty()
        && over.keySet()
            .removeAll(
                TableChecks.keysWithoutEffect(over).stream()
                    .filter(key -> !own.containsKey(key))
                    .toList())) {}
    return over;
  }

  @Override
  public String toString() {
    return scope.prefix + name + "." + key;
  }
}
