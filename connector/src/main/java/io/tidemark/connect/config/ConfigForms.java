package io.tidemark.connect.config;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The syntax of single values of a configuration. */
final class ConfigForms {
  // stock-quotes, orders.v2
  static final Predicate<String> IS_LOG_ID =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}").asMatchPredicate();
  // warehouse/raw
  private static final Pattern PATH =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._=-]*(/[A-Za-z0-9][A-Za-z0-9._=-]*)*");
  // stock_quotes
  static final Predicate<String> IS_HIVE_NAME =
      Pattern.compile("[A-Za-z0-9_]{1,128}").asMatchPredicate();

  // table:_other,view:_all
  static final Predicate<String> IS_ON_CONFLICT =
      Pattern.compile(
              "hold-topic|dead-letter|table:([A-Za-z0-9_]{1,64})(,view:(?!\\1$)[A-Za-z0-9_]{1,64})?")
          .asMatchPredicate();

  // ${topic}
  static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]*)}");

  // ${1}
  static final Pattern GROUP = Pattern.compile("\\$\\{[0-9]{1,3}}");

  // orders.v2
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");

  // 8c6d8dc8-7dc1-4a38-8e83-601ebc9ad64c
  static final Predicate<String> IS_UUID =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").asMatchPredicate();

  // com.example.ByCustomer
  private static final Pattern CLASS =
      Pattern.compile("[A-Za-z_][A-Za-z0-9_]*([.][A-Za-z_][A-Za-z0-9_$]*)+");

  private ConfigForms() {}

  /** Whether it names a user's class. Those of Confluent need libraries that the plugin lacks. */
  static boolean isClassOfTheUsers(String text) {
    return CLASS.matcher(text).matches() && !text.startsWith("io.confluent.");
  }

  /** The value of a text; empty if the reader rejects it, which another check reports. */
  static <T> Optional<T> value(String text, Function<String, T> reader) {
    try {
      return Optional.of(reader.apply(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Why a reader rejects a text; empty if it does not. */
  static Optional<String> problem(String text, Function<String, ?> reader) {
    try {
      Objects.requireNonNull(reader.apply(text));
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the UUIDs of a text that {@link ValueForm#UUIDS} accepts. */
  static Set<UUID> uuids(String text) {
    return Stream.of(text.split(",", -1))
        .map(String::trim)
        .filter(each -> !each.isEmpty())
        .map(UUID::fromString)
        .collect(Collectors.toUnmodifiableSet());
  }

  static boolean isRelativePath(String text) {
    return PATH.matcher(withoutEnd(text)).matches();
  }

  static boolean isLocation(String text) {
    String filled = PLACEHOLDER.matcher(withoutEnd(text)).replaceAll("t");
    return filled.startsWith("/") && PATH.matcher(filled.substring(1)).matches();
  }

  /** Returns whether Kafka's brokers accept a text as the name of a topic. */
  static boolean isTopic(String text) {
    return TOPIC.matcher(text).matches() && !text.equals(".") && !text.equals("..");
  }

  /** Returns a path without a '/' at its end. A '/' at the end has no meaning in any setting. */
  static String withoutEnd(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
