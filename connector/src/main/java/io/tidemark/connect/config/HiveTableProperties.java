package io.tidemark.connect.config;

import io.tidemark.store.IndentedTexts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The parser of the properties that a user sets on tables in Hive. It rejects properties that
 * control how files are read, kept or deleted: Hive could otherwise return rows that differ from
 * the landed records, or delete files.
 *
 * <pre>
 * owner=sales,comment=orders\, by day     owner is "sales", comment is "orders, by day"
 * </pre>
 */
final class HiveTableProperties {
  private static final int MAX_PROPERTIES = 100;

  // The Metastore's columns: PARAM_KEY has 256 characters, PARAM_VALUE at least 4,000.
  private static final int MAX_NAME_CHARS = 256;
  private static final int MAX_VALUE_CHARS = 4_000;

  // retention.days
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.:-]*");

  // A comma without a backslash before it.
  private static final Pattern SEPARATOR = Pattern.compile("(?<!\\\\),");

  /** The names that users must not set, and why. */
  private record Protected(Pattern names, String reason) {}

  private static final List<Protected> PROTECTED =
      IndentedTexts.read(HiveTableProperties.class, "protected-properties.txt").entrySet().stream()
          .map(each -> new Protected(Pattern.compile("(?i)" + each.getKey()), each.getValue()))
          .toList();

  private HiveTableProperties() {}

  /** Throws an {@link IllegalArgumentException} with problem and cure of an invalid property. */
  static Map<String, String> parse(String text) {
    Map<String, String> properties = new TreeMap<>();
    if (text.isBlank()) {
      return properties;
    }
    for (String each : SEPARATOR.split(text, -1)) {
      int equals = each.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "\"%s\" has no '='. Write NAME=VALUE, with \\, for a comma in a value"
                .formatted(each.strip()));
      }
      String name = each.substring(0, equals).strip();
      String value = each.substring(equals + 1).replace("\\,", ",").strip();
      require(name, value);
      if (properties.put(name, value) != null) {
        throw new IllegalArgumentException("%s is set twice. Remove one".formatted(name));
      }
    }
    if (properties.size() > MAX_PROPERTIES) {
      throw new IllegalArgumentException(
          "%d properties are more than the maximum of %d. Set the others in Hive"
              .formatted(properties.size(), MAX_PROPERTIES));
    }
    return properties;
  }

  private static void require(String name, String value) {
    if (name.length() > MAX_NAME_CHARS || !NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is not the name of a property. Use at most %d letters, digits and '_', '.', ':', '-'"
              .formatted(name, MAX_NAME_CHARS));
    }
    for (Protected each : PROTECTED) {
      if (each.names().matcher(name).matches()) {
        throw new IllegalArgumentException(
            "%s must not be set: %s. Remove it".formatted(name, each.reason()));
      }
    }
    if (value.isEmpty()) {
      throw new IllegalArgumentException(
          "%s has no value. Add a value, or remove the property".formatted(name));
    }
    if (value.length() > MAX_VALUE_CHARS || value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "the value of %s is longer than %d characters, or contains a control character. Correct the value"
              .formatted(name, MAX_VALUE_CHARS));
    }
  }
}
