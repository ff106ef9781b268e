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
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of a configuration's {@code topics} or {@code topics.regex}. The topics that match a
 * pattern are requested from Kafka once per minute. Not thread-safe.
 */
final class ConfiguredTables implements Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(ConfiguredTables.class);
  private static final Duration REFRESH = Duration.ofMinutes(1);
  private static final Duration REFRESH_AT_ONCE = Duration.ofSeconds(5);

  private final TableSettings tables;
  private final NamedTopics topics;
  private final boolean shares;
  private final TopicsOfPattern kafka;
  private final MonotonicClock clock;
  private final FirstTopics firsts;
  private Optional<Found> newest = Optional.empty();
  private long askedMs;
  private boolean askAgain;

  /** Finds the topics that a pattern matches. */
  @FunctionalInterface
  interface TopicsOfPattern {

    /**
     * Returns the topics whose whole name matches the pattern.
     *
     * @throws IOException if Kafka does not respond: retry
     */
    Set<String> topics(Pattern pattern) throws IOException;
  }

  /** Finds which of several topics was the first to use a table's name. */
  @FunctionalInterface
  interface FirstTopics {

    /**
     * Returns the first topic that used the name.
     *
     * @return empty if none of the topics has a table yet
     * @throws IOException if the store does not respond, or its file cannot be read: retry
     */
    Optional<String> of(TableName table) throws IOException;
  }

  /**
   * The tables of a configuration at the last request.
   *
   * @param nameTaken topics whose table cannot be reported; each with the reason and the cure
   */
  private record Found(List<ReckonedTable> tables, Map<String, String> nameTaken) {}

  /**
   * Reads the configuration; sends no request to Kafka.
   *
   * @param kafka finds the topics that a pattern matches
   * @param firsts finds which of several topics used their table's name first
   */
  ConfiguredTables(
      ConnectorConfig config, TopicsOfPattern kafka, FirstTopics firsts, MonotonicClock clock) {
    this.tables = new TableSettings(config);
    this.topics = NamedTopics.of(config);
    this.shares = tables.mayShare();
    this.kafka = kafka;
    this.firsts = firsts;
    this.clock = clock;
  }

  @Override
  public List<ReckonedTable> tables() throws IOException {
    return found().tables();
  }

  @Override
  public Map<String, String> nameTaken() throws IOException {
    return newest.isPresent() ? newest.get().nameTaken() : found().nameTaken();
  }

  private Found found() throws IOException {
    long nowMs = clock.millis();
    // A new topic may share a table with other topics. The table is not complete without the new
    // topic's records.
    Duration pause = shares ? Duration.ZERO : askAgain ? REFRESH_AT_ONCE : REFRESH;
    Optional<Pattern> pattern = topics.pattern();
    if (newest.isEmpty() || (pattern.isPresent() && nowMs - askedMs >= pause.toMillis())) {
      askedMs = nowMs;
      askAgain = false;
      try {
        newest =
            Optional.of(
                byTable(pattern.isPresent() ? kafka.topics(pattern.get()) : topics.listed()));
      } catch (IOException e) {
        if (newest.isEmpty() || shares) {
          throw e;
        }
        // Nothing of a new topic could be complete yet. Continue with the known topics.
        LOG.debug("cannot find the topics that match {}: {}", pattern, PrintableText.of(e));
      }
    }
    return newest.get();
  }

  @Override
  public void refresh() {
    askAgain = true;
  }

  private Found byTable(Collection<String> of) throws IOException {
    // Topics that share a table have one root. Topics with different roots share only the name.
    Map<TableName, Map<TableLayout, Fed>> named = new LinkedHashMap<>();
    Map<TableName, String> uncounted = new HashMap<>();
    Map<String, String> nameTaken = new LinkedHashMap<>();
    for (String topic : of) {
      if (!tables.isReckoned(topic)) {
        for (Table table : tables.tables(topic)) {
          uncounted.put(table.name(), topic);
          if (table.options().reckoned()) {
            nameTaken.put(topic, halfCounted(topic, table.name()));
          }
        }
        continue;
      }
      for (Table table : tables.tables(topic)) {
        named
            .computeIfAbsent(table.name(), name -> new LinkedHashMap<>())
            .computeIfAbsent(table.layout(), layout -> new Fed(table, new ArrayList<>()))
            .topics()
            .add(topic);
      }
    }
    List<ReckonedTable> reckoned = new ArrayList<>();
    for (Map.Entry<TableName, Map<TableLayout, Fed>> each : named.entrySet()) {
      String other = uncounted.get(each.getKey());
      if (other != null) {
        each.getValue()
            .values()
            .forEach(
                fed ->
                    fed.topics()
                        .forEach(
                            topic -> nameTaken.put(topic, fedToo(topic, other, each.getKey()))));
        continue;
      }
      List<Fed> all = List.copyOf(each.getValue().values());
      Optional<String> first = all.size() > 1 ? firsts.of(each.getKey()) : Optional.empty();
      if (all.size() > 1 && first.isEmpty()) {
        // No topic has landed records yet. Any of the topics may be the first to use the name, so
        // wait for all.
        List<String> any = all.stream().flatMap(fed -> fed.topics().stream()).toList();
        reckoned.add(new ReckonedTable(all.get(0).table(), any));
        continue;
      }
      for (Fed fed : all) {
        if (first.isEmpty() || fed.topics().contains(first.get())) {
          reckoned.add(new ReckonedTable(fed.table(), fed.topics()));
        } else {
          fed.topics()
              .forEach(topic -> nameTaken.put(topic, taken(topic, first.get(), each.getKey())));
        }
      }
    }
    // If the topic also has another table, the other table waits for it: no records of the topic
    // land until its first table has another name.
    reckoned.forEach(table -> table.topics().forEach(nameTaken::remove));
    return new Found(List.copyOf(reckoned), Map.copyOf(nameTaken));
  }

  /** A table and the topics whose records may land in it. */
  private record Fed(Table table, List<String> topics) {}

  private static String fedToo(String topic, String other, TableName table) {
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
