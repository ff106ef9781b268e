package io.tidemark.connect.config;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The key of a setting that overrides the connector's for one topic or table. Examples: {@code
 * topic.orders.v2.hive.table.name}, {@code table.sales.orders.partitioner.class}.
 */
record ScopedKey(Scope scope, String name, String key) {

  private static final List<String> OF_TOPIC = ConfigDefinition.keysOf("topic");
  private static final List<String> OF_TABLE = ConfigDefinition.keysOf("table");

  /** The kind of object that a setting applies to. */
  enum Scope {
    TOPIC("topic."),
    TABLE("table.");

    final String prefix;

    Scope(String prefix) {
      this.prefix = prefix;
    }

    List<String> keys() {
      return this == TOPIC ? OF_TOPIC : OF_TABLE;
    }
  }

  /** Parses a key; empty if it is not a key of a topic or a table. */
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

  /** Returns whether a key begins like those of topics and tables. */
  static boolean looksScoped(String setting) {
    return Stream.of(Scope.values()).anyMatch(scope -> setting.startsWith(scope.prefix))
        && !ConnectorConfig.DEFINITION.names().contains(setting);
  }

  /** Returns the error of a key that begins like those of topics and tables but is not valid. */
  static String problem(String setting) {
    Scope scope = setting.startsWith(Scope.TOPIC.prefix) ? Scope.TOPIC : Scope.TABLE;
    return "is not a key of this connector, so it would have no effect. A key that begins with %s continues with a name and one of %s. Correct or remove it."
        .formatted(
            scope.prefix,
            Stream.concat(
                    scope.keys().stream(),
                    Stream.of(ConnectorConfig.PARTITIONER_CONFIG_PREFIX + "…"))
                .collect(Collectors.joining(", ")));
  }

  @Override
  public String toString() {
    return scope.prefix + name + "." + key;
  }
}
