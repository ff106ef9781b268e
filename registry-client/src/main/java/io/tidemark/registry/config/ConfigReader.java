package io.tidemark.registry.config;

import io.tidemark.registry.config.InvalidRegistryConfigException.Problem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads the settings of one client, and collects their problems. Not thread-safe.
 *
 * <p>Keys of Confluent's clients may have the prefix {@code schema.registry.}. The client's own
 * keys and those of TLS must have it, because a connector's map has {@code ssl.*} and other keys
 * for other uses.
 */
final class ConfigReader {
  private static final String PREFIX = "schema.registry.";
  static final List<String> OWNED = List.of(PREFIX, "basic.auth.", "bearer.auth.");

  private final TreeMap<String, String> given = new TreeMap<>();
  private final Set<String> read = new HashSet<>();
  private final List<Problem> problems = new ArrayList<>();

  ConfigReader(Map<String, ?> settings) {
    settings.forEach(
        (key, value) -> {
          if (value instanceof String || value instanceof Number || value instanceof Boolean) {
            given.put(key, String.valueOf(value).strip());
          } else if (value != null && isOwned(key)) {
            problem(key, "is a " + value.getClass().getName() + ". Pass a text.");
          }
        });
  }

  void problem(String key, String text) {
    problems.add(new Problem(key, text));
  }

  /** Returns a setting whose key must have the prefix; an empty text counts as not set. */
  Optional<String> own(String name) {
    return key(PREFIX + name);
  }

  /** Returns a setting whose key must have the prefix, even if it is an empty text. */
  Optional<String> ownOrEmpty(String name) {
    read.add(PREFIX + name);
    return Optional.ofNullable(given.get(PREFIX + name));
  }

  /** Returns a setting of Confluent's clients, whose key may have the prefix. */
  Optional<String> text(String name) {
    Optional<String> plain = key(name);
    Optional<String> prefixed = key(PREFIX + name);
    if (plain.isPresent() && prefixed.isPresent() && !plain.equals(prefixed)) {
      problem(name, "is set twice, also as " + PREFIX + name + ". Remove one of them.");
    }
    return prefixed.or(() -> plain);
  }

  /** Returns a setting that has exactly this key; an empty text counts as not set. */
  Optional<String> key(String key) {
    read.add(key);
    return Optional.ofNullable(given.get(key)).filter(value -> !value.isEmpty());
  }

  /** Returns the number of a setting; the default if it is not set, or wrong or out of range. */
  long number(
      String name, Optional<String> text, String unit, long least, long most, long byDefault) {
    if (text.isEmpty()) {
      return byDefault;
    }
    try {
      long value = Long.parseLong(text.get());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    problem(
        name,
        "\""
            + text.get()
            + "\" is not a number of "
            + unit
            + " from "
            + least
            + " to "
            + most
            + ".");
    return byDefault;
  }

  /** Returns a parsed text; if it cannot be parsed, adds a problem and returns empty. */
  <T> Optional<T> parsed(String name, Optional<String> text, Function<String, T> parser) {
    try {
      return text.map(parser);
    } catch (IllegalArgumentException e) {
      problem(name, Objects.requireNonNullElse(e.getMessage(), "cannot be read."));
      return Optional.empty();
    }
  }

  /** Runs an action; if it throws, adds a problem of the setting. */
  void check(String name, Runnable action) {
    try {
      action.run();
    } catch (IllegalArgumentException e) {
      problem(name, Objects.requireNonNullElse(e.getMessage(), "cannot be used."));
    }
  }

  /** Returns the settings with a prefix, without the prefix. All of them count as read. */
  Map<String, String> withPrefix(String prefix) {
    Map<String, String> found = new TreeMap<>();
    for (String start : List.of(prefix, PREFIX + prefix)) {
      given
          .subMap(start, start + Character.MAX_VALUE)
          .forEach(
              (key, value) -> {
                read.add(key);
                found.put(key.substring(start.length()), value);
              });
    }
    return found;
  }

  /** Accepts settings of Confluent's clients that have no effect here. */
  void withoutEffect(String... names) {
    for (String name : names) {
      read.add(name);
      read.add(PREFIX + name);
    }
  }

  /** Returns the keys that were read, set or not. */
  Set<String> keys() {
    return Set.copyOf(read);
  }

  /** Returns every problem, including the settings that were not read. */
  List<Problem> problems() {
    List<Problem> all = new ArrayList<>(problems);
    for (String key : given.keySet()) {
      if (isOwned(key) && !read.contains(key)) {
        all.add(
            new Problem(
                key,
                "is not a setting of this client. Correct its name or remove it; docs/REGISTRY.md"
                    + " lists the settings."));
      }
    }
    return all;
  }

  private static boolean isOwned(String key) {
    return OWNED.stream().anyMatch(key::startsWith);
  }
}
