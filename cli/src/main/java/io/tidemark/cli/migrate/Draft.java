package io.tidemark.cli.migrate;

import io.tidemark.store.IndentedTexts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A configuration during its migration: the settings of the old sink that no step has handled yet,
 * the new settings, and the notes for the report. A note never has a value of the old configuration
 * that may be a secret. Not thread-safe.
 */
final class Draft {
  private static final Map<String, String> TEXTS = IndentedTexts.read(Draft.class, "texts.txt");

  private final Map<String, String> old;
  private final Map<String, String> given;
  private final Map<String, String> made = new LinkedHashMap<>();
  private final List<String> changes = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private final List<String> checks = new ArrayList<>();
  private final List<String> blocked = new ArrayList<>();
  private final List<String> unknown = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();

  /** {@code given} are the operator's values, which replace those of any step. */
  Draft(Map<String, String> old, Map<String, String> given) {
    this.old = new LinkedHashMap<>(old);
    this.given = Map.copyOf(given);
  }

  /** Returns a text of texts.txt. */
  static String text(String id, Object... values) {
    return Objects.requireNonNull(TEXTS.get(id), id).formatted(values);
  }

  /** Returns whether a value is a placeholder that a ConfigProvider of the worker replaces. */
  static boolean isProvided(String value) {
    return value.matches("(?s).*\\$\\{[^}:]+:.*}.*");
  }

  /** Removes a key from the old settings. */
  Optional<String> take(String key) {
    return Optional.ofNullable(old.remove(key));
  }

  Optional<String> peek(String key) {
    return Optional.ofNullable(old.get(key));
  }

  /** Returns a copy of the keys that no step has handled yet. */
  List<String> left() {
    return List.copyOf(old.keySet());
  }

  /** Renames a key of the old settings. An existing key with the new name has precedence. */
  void rename(String key, String newKey, String reason) {
    String value = Objects.requireNonNull(old.remove(key));
    old.putIfAbsent(newKey, value);
    renamed(key, newKey, reason);
  }

  void renamed(String key, String newKey, String reason) {
    changes.add("%s is now %s%s".formatted(key, newKey, reason.isEmpty() ? "" : ": " + reason));
  }

  /** Adds a setting to the old ones, for a later step. */
  void add(String key, String value) {
    old.putIfAbsent(key, value);
  }

  /** Adds a setting as it was. */
  void keep(String key, String value) {
    made.put(key, value);
  }

  /** Adds a setting with a new value, which is not a secret. */
  void set(String key, String value, String reason) {
    made.put(key, value);
    changes.add("%s=%s: %s".formatted(key, value, reason));
  }

  /** Adds a setting that the old configuration does not have, if the operator does not name it. */
  void need(String key, String placeholder, String text) {
    made.put(key, placeholder);
    if (!given.containsKey(key)) {
      checks.add("%s=%s: %s".formatted(key, placeholder, text));
    }
  }

  boolean has(String key) {
    return made.containsKey(key);
  }

  String made(String key) {
    return made.getOrDefault(key, "");
  }

  void change(String key, String reason) {
    changes.add(key + ": " + reason);
  }

  void lost(String key, String text) {
    lost.add(key + ": " + text);
  }

  void check(String key, String text) {
    checks.add(key + ": " + text);
  }

  void blocked(String key, String text) {
    blocked.add(key + ": " + text);
  }

  /** Adds an error of the connector's validation. */
  void error(String key, String text) {
    errors.add(key + ": " + text);
  }

  void unknown(String key) {
    unknown.add(key);
  }

  /** Returns the new settings, with the operator's values, and with the main keys in front. */
  Map<String, String> settings() {
    Map<String, String> ordered = new LinkedHashMap<>();
    List.of("name", "connector.class", "tasks.max", "topics", "topics.regex").stream()
        .filter(made::containsKey)
        .forEach(key -> ordered.put(key, made(key)));
    made.forEach(ordered::putIfAbsent);
    ordered.putAll(given);
    return Collections.unmodifiableMap(ordered);
  }

  MigrationReport report(OldSink sink, boolean adoptable) {
    return new MigrationReport(
        sink, adoptable, settings(), changes, lost, checks, blocked, errors, unknown);
  }
}
