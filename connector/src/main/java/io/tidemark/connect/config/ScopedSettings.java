package io.tidemark.connect.config;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
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
  private final Map<ScopedKey.Scope, SortedMap<String, SortedMap<String, String>>> byScope =
      new EnumMap<>(ScopedKey.Scope.class);

  ScopedSettings(ConnectorConfig config) {
    Map<String, String> ofConnector = new HashMap<>();
    for (ScopedKey.Scope scope : ScopedKey.Scope.values()) {
      byScope.put(scope, new TreeMap<>());
    }
    config
        .given()
        .forEach(
            (key, value) ->
                ScopedKey.parse(key)
                    .ifPresentOrElse(
                        scoped ->
                            all(scoped.scope())
                                .computeIfAbsent(scoped.name(), name -> new TreeMap<>())
                                .put(scoped.key(), value),
                        () -> ofConnector.put(key, value)));
    this.connector = config.with(ofConnector);
  }

  /** The connector's settings, without those of single topics and tables. */
  ConnectorConfig connector() {
    return connector;
  }

  /** The names of topics or tables with their own settings, sorted. */
  Set<String> names(ScopedKey.Scope scope) {
    return Collections.unmodifiableSet(all(scope).keySet());
  }

  /** A topic's or table's own settings, by the keys of the connector that they override. */
  SortedMap<String, String> own(ScopedKey.Scope scope, String name) {
    return Collections.unmodifiableSortedMap(
        all(scope).getOrDefault(name, Collections.emptySortedMap()));
  }

  /** The connector's settings, overridden by those of one topic or table. */
  ConnectorConfig over(ScopedKey.Scope scope, String name) {
    return over(connector, scope, name);
  }

  /** {@code base} are the connector's settings, or those that apply to a topic. */
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
      unused = new HashSet<>(TableChecks.withoutEffect(over).keySet());
      unused.removeAll(own.keySet());
    } while (all.keySet().removeAll(unused));
    return over;
  }

  private SortedMap<String, SortedMap<String, String>> all(ScopedKey.Scope scope) {
    return Objects.requireNonNull(byScope.get(scope));
  }
}
