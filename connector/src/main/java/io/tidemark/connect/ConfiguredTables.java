package io.tidemark.connect;

import io.tidemark.completeness.reckon.ReckonedTable;
import io.tidemark.completeness.reckon.Subscription;
import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.NamedTopics;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.PrintableText;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of a configuration's {@code topics} or {@code topics.regex}. The topics that match a
 * pattern are requested from Kafka for each snapshot. Not thread-safe.
 */
final class ConfiguredTables implements Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(ConfiguredTables.class);
  private static final Duration REFRESH = Duration.ofSeconds(5);

  private final TableSettings tables;
  private final NamedTopics topics;
  private final TopicsOfPattern kafka;
  private final MonotonicClock clock;
  private final FirstTopics firsts;

  /** The topics according to Kafka's last answer; empty before the first. */
  private Optional<Set<String>> listed = Optional.empty();

  private Optional<Found> newest = Optional.empty();
  private long askedMs;
  private boolean askAgain;

  @FunctionalInterface
  interface TopicsOfPattern {
    /** Returns the topics whose whole name matches; throws if Kafka does not respond: retry. */
    Set<String> topics(Pattern pattern) throws IOException;
  }

  @FunctionalInterface
  interface FirstTopics {
    /**
     * Returns the topic that used the name first; empty if no topic has a table yet. Throws if the
     * store does not respond, or its file cannot be read: retry.
     */
    Optional<String> of(TableName table) throws IOException;
  }

  /**
   * The tables of a configuration.
   *
   * @param topics all topics that the connector reads
   * @param unreported topics whose table cannot be reported; each with the reason and the cure
   */
  private record Found(
      Set<String> topics, List<ReckonedTable> tables, Map<String, String> unreported) {}

  /** A table and the topics whose records may land in it. */
  private record TopicsOfTable(Table table, List<String> topics) {}

  /** Reads the configuration; sends no request to Kafka. */
  ConfiguredTables(
      ConnectorConfig config, TopicsOfPattern kafka, FirstTopics firsts, MonotonicClock clock) {
    this.tables = new TableSettings(config);
    this.topics = NamedTopics.of(config);
    this.kafka = kafka;
    this.firsts = firsts;
    this.clock = clock;
  }

  @Override
  public Map<String, String> nameTaken() throws IOException {
    return newest.isPresent() ? newest.get().unreported() : found(Set.of()).unreported();
  }

  @Override
  public List<ReckonedTable> tables(Set<String> known) throws IOException {
    return found(known).tables();
  }

  private Found found(Set<String> known) throws IOException {
    if (listed.isEmpty() || (askAgain && clock.millis() - askedMs >= REFRESH.toMillis())) {
      try {
        list();
      } catch (IOException e) {
        if (listed.isEmpty()) {
          throw e;
        }
        // Nothing of a new topic could be complete yet. Continue with the known topics.
        LOG.debug("cannot find the topics of {}: {}", topics, PrintableText.of(e));
      }
    }
    Set<String> all = new LinkedHashSet<>(listed.orElseThrow());
    known.stream().filter(topics::contains).forEach(all::add);
    if (newest.filter(found -> found.topics().equals(all)).isEmpty()) {
      newest = Optional.of(find(all));
    }
    return newest.orElseThrow();
  }

  @Override
  public void list() throws IOException {
    Optional<Pattern> pattern = topics.pattern();
    if (listed.isEmpty() || pattern.isPresent()) {
      askedMs = clock.millis();
      askAgain = false;
      listed = Optional.of(pattern.isPresent() ? kafka.topics(pattern.get()) : topics.listed());
      newest = Optional.empty(); // Other topics may be the first of their tables by now.
    }
  }

  @Override
  public void refresh() {
    askAgain = true;
  }

  private Found find(Set<String> of) throws IOException {
    // Topics that share a table have one root. Topics with different roots share only the name.
    Map<TableName, Map<TableLayout, TopicsOfTable>> named = new LinkedHashMap<>();
    Map<TableName, String> uncounted = new HashMap<>();
    Map<String, String> unreported = new LinkedHashMap<>();
    for (String topic : of) {
      boolean counted = tables.isReckoned(topic);
      for (Table table : tables.tables(topic)) {
        if (counted) {
          named
              .computeIfAbsent(table.name(), name -> new LinkedHashMap<>())
              .computeIfAbsent(
                  table.layout(), layout -> new TopicsOfTable(table, new ArrayList<>()))
              .topics()
              .add(topic);
        } else {
          uncounted.put(table.name(), topic);
          if (table.options().reckoned()) {
            unreported.put(topic, halfCounted(topic, table.name()));
          }
        }
      }
    }
    List<ReckonedTable> reckoned = new ArrayList<>();
    for (Map.Entry<TableName, Map<TableLayout, TopicsOfTable>> each : named.entrySet()) {
      TableName name = each.getKey();
      List<TopicsOfTable> all = List.copyOf(each.getValue().values());
      List<String> any = all.stream().flatMap(one -> one.topics().stream()).toList();
      String other = uncounted.get(name);
      if (other != null) {
        any.forEach(topic -> unreported.put(topic, partlyCounted(topic, other, name)));
        continue;
      }
      Optional<String> first = all.size() > 1 ? firsts.of(name) : Optional.empty();
      if (first.isEmpty()) {
        // If several topics could be the first to use the name, none has landed yet: wait for all.
        reckoned.add(new ReckonedTable(all.get(0).table(), any));
        continue;
      }
      for (TopicsOfTable one : all) {
        if (one.topics().contains(first.get())) {
          reckoned.add(new ReckonedTable(one.table(), one.topics()));
        } else {
          one.topics().forEach(topic -> unreported.put(topic, taken(topic, first.get(), name)));
        }
      }
    }
    // If the topic also has another table, the other table waits for it: no records of the topic
    // land until its first table has another name.
    reckoned.forEach(table -> table.topics().forEach(unreported::remove));
    return new Found(of, List.copyOf(reckoned), Map.copyOf(unreported));
  }

  private static String partlyCounted(String topic, String other, TableName table) {
    return "%s: its table %s also has records of %s, for which completeness.enabled=false, so the completeness of the table is not known. Set table.%s.completeness.enabled for all of its topics, or give each of them a table of its own"
        .formatted(topic, table, other, table);
  }

  private static String halfCounted(String topic, TableName table) {
    return "%s: another one of its tables has completeness.enabled=false, but a topic is counted for all of its tables or for none, so the completeness of %s is not known. Set topic.%s.completeness.enabled in place of keys of its tables"
        .formatted(topic, table, topic);
  }

  private static String taken(String topic, String first, TableName table) {
    return "%s: its table would be %s, but the topic %s used that name first, so completeness is not reported for this topic. Leave the topic out of topics.regex, and give it a connector with another hive.table.name, or another table in topic2table.map"
        .formatted(topic, table, first);
  }
}
