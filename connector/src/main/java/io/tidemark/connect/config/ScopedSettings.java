package io.tidemark.connect.config;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A configuration, divided into the connector's settings and those of single topics and tables. One
 * connector may have settings of thousands of topics. So each key is parsed once, and the settings
 * that apply to one topic do not contain the keys of other topics. Immutable.
 */
final class ScopedSettings {
  private final ConnectorConfig connector;
  private final SortedMap<String, SortedMap<String, String>> topics;
  private final SortedMap<String, SortedMap<String, String>> tables;

  private ScopedSettings(
      ConnectorConfig connector,
      Map<String, SortedMap<String, String>> topics,
      Map<String, SortedMap<String, String>> tables) {
    this.connector = connector;
    this.topics = fixed(topics);
    this.tables = fixed(tables);
  }

  private static SortedMap<String, SortedMap<String, String>> fixed(
      Map<String, SortedMap<String, String>> byName) {
    SortedMap<String, SortedMap<String, String>> fixed = new TreeMap<>();
    byName.forEach((name, own) -> fixed.put(name, Collections.unmodifiableSortedMap(own)));
    return Collections.unmodifiableSortedMap(fixed);
  }

  /** Divides a configuration. */
  static ScopedSettings of(ConnectorConfig config) {
    Map<String, String> connector = new HashMap<>();
    Map<String, SortedMap<String, String>> topics = new HashMap<>();
    Map<String, SortedMap<String, String>> tables = new HashMap<>();
    for (Map.Entry<String, String> each : config.given().entrySet()) {
      Optional<ScopedKey> scoped = ScopedKey.parse(each.getKey());
      if (scoped.isEmpty()) {
        connector.put(each.getKey(), each.getValue());
        continue;
      }
      Map<String, SortedMap<String, String>> byName =
          scoped.get().scope() == ScopedKey.Scope.TOPIC ? topics : tables;
      byName
          .computeIfAbsent(scoped.get().name(), name -> new TreeMap<>())
          .put(scoped.get().key(), each.getValue());
    }
    return new ScopedSettings(config.with(connector), topics, tables);
  }

  /** Returns the connector's settings, without those of single topics and tables. */
  ConnectorConfig connector() {
    return connector;
  }

  /** Returns the names of topics or tables with their own settings, sorted. */
  Set<String> names(ScopedKey.Scope scope) {
    return all(scope).keySet();
  }

  /** Returns a topic's or table's own settings, by the keys of the connector that they override. */
  SortedMap<String, String> own(ScopedKey.Scope scope, String name) {
    return all(scope).getOrDefault(name, Collections.emptySortedMap());
  }

  /** Returns the connector's settings, overridden by those of one topic or table. */
  ConnectorConfig over(ScopedKey.Scope scope, String name) {
    return over(connector, scope, name);
  }

  /**
   * Returns settings, overridden by those of one topic or table.
   *
   * @param base the connector's settings, or those that apply to a topic
   */
  ConnectorConfig over(ConnectorConfig base, ScopedKey.Scope scope, String name) {
    Map<String, String> own = own(scope, name);
    if (own.isEmpty()) {
      return base;
    }
    Map<String, String> all = new HashMap<>(base.given());
    if (own.containsKey(ConnectorConfig.AVRO_CODEC)) {
      all.remove(ConnectorConfig.AVRO_CODEC_LEVEL); // The level belongs to the other codec.
    }
    all.putAll(own);
    // Drop the base's keys that have no effect together with the overrides. Repeat it, because a
    // dropped key may have been the last one that gave another key an effect.
    ConnectorConfig over;
    Set<String> unused;
    do {
      over = base.with(all);
      unused = new HashSet<>(TableChecks.keysWithoutEffect(over));
      unused.removeAll(own.keySet());
    } while (all.keySet().removeAll(unused));
    return over;
  }

  private SortedMap<String, SortedMap<String, String>> all(ScopedKey.Scope scope) {
    return scope == ScopedKey.Scope.TOPIC ? topics : tables;
  }
}
