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
 * The settings of one client as they are read, with what is wrong so far. For one thread.
 *
 * <p>A setting of the vendors' may stand with {@code schema.registry.} before it or without; ours
 * and those of TLS stand with it, as a map of a connector's holds {@code ssl.*} and more for
 * others.
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
            problem(key, "is of " + value.getClass().getName() + ". Give it as text.");
          }
        });
  }

  void problem(String key, String text) {
    problems.add(new Problem(key, text));
  }

  /** A setting that stands only with its prefix; an empty text is none. */
  Optional<String> own(String name) {
    return key(PREFIX + name);
  }

  /** The same, where an empty text has a meaning of its own. */
  Optional<String> ownOrEmpty(String name) {
    read.add(PREFIX + name);
    return Optional.ofNullable(given.get(PREFIX + name));
  }

  /** A setting of the vendors', with the prefix or without. */
  Optional<String> text(String name) {
    Optional<String> plain = key(name);
    Optional<String> prefixed = key(PREFIX + name);
    if (plain.isPresent() && prefixed.isPresent() && !plain.equals(prefixed)) {
      problem(name, "is set twice, and otherwise as " + PREFIX + name + ". Remove one of them.");
    }
    return prefixed.or(() -> plain);
  }

  private Optional<String> key(String key) {
    read.add(key);
    return Optional.ofNullable(given.get(key)).filter(value -> !value.isEmpty());
  }

  /** The number of a setting, within its range; the default when there is none, or it is wrong. */
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
      // Told below, as a number out of range is.
    }
    problem(
        name,
        "\"" + text.get() + "\" is no number of " + unit + " from " + least + " to " + most + ".");
    return byDefault;
  }

  /** What a text means; nothing when it has no such meaning, which is then a problem. */
  <T> Optional<T> parsed(String name, Optional<String> text, Function<String, T> parser) {
    try {
      return text.map(parser);
    } catch (IllegalArgumentException e) {
      problem(name, Objects.requireNonNullElse(e.getMessage(), "cannot be read."));
      return Optional.empty();
    }
  }

  /** Does what may not be possible with a setting, which is then a problem. */
  void check(String name, Runnable action) {
    try {
      action.run();
    } catch (IllegalArgumentException e) {
      problem(name, Objects.requireNonNullElse(e.getMessage(), "cannot be used."));
    }
  }

  /** The settings that begin with a prefix, without it; all of them count as read. */
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

  /** Accepts settings of the vendors' that change nothing here. */
  void withoutEffect(String... names) {
    for (String name : names) {
      read.add(name);
      read.add(PREFIX + name);
    }
  }

  /** The settings that were asked for, given or not. */
  Set<String> keys() {
    return Set.copyOf(read);
  }

  /** Every problem, with the settings that nobody has read. */
  List<Problem> problems() {
    List<Problem> all = new ArrayList<>(problems);
    for (String key : given.keySet()) {
      if (isOwned(key) && !read.contains(key)) {
        all.add(
            new Problem(
                key,
                "is no setting of this client. Correct its name or remove it; docs/REGISTRY.md has"
                    + " them all."));
      }
    }
    return all;
  }

  private static boolean isOwned(String key) {
    return OWNED.stream().anyMatch(key::startsWith);
  }
}
