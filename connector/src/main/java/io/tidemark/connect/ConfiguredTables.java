package io.tidemark.connect;

import io.tidemark.connect.config.ConnectorConfig;
import io.tidemark.connect.config.TableSettings;
import io.tidemark.connect.reckon.ReckonedTable;
import io.tidemark.connect.reckon.Subscription;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.text.PrintableText;
import io.tidemark.connect.time.MonotonicClock;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of a configuration's {@code topics} or {@code topics.regex}. Which topics a pattern
 * means is asked once a minute. Used by one thread.
 */
final class ConfiguredTables implements Subscription {
  private static final Logger LOG = LoggerFactory.getLogger(ConfiguredTables.class);
  private static final Duration REFRESH = Duration.ofMinutes(1);
  private static final Duration REFRESH_AT_ONCE = Duration.ofSeconds(5);

  private final TableSettings tables;
  private final List<String> topics;
  private final Optional<Pattern> pattern;
  private final boolean shares;
  private final TopicsOfPattern kafka;
  private final MonotonicClock clock;
  private final FirstTopics firsts;
  private Optional<Found> newest = Optional.empty();
  private long askedMs;
  private boolean askAgain;

  /** Which topics a pattern means. */
  @FunctionalInterface
  interface TopicsOfPattern {

    /**
     * The topics that the pattern matches as a whole.
     *
     * @throws IOException Kafka does not answer: try again
     */
    Set<String> topics(Pattern pattern) throws IOException;
  }

  /** Which topic has a table's name, where several would. */
  @FunctionalInterface
  interface FirstTopics {

    /**
     * The topic that was first.
     *
     * @return empty where none has a table yet
     * @throws IOException the store does not answer, or what it has cannot be read: try again
     */
    Optional<String> of(TableName table) throws IOException;
  }

  /**
   * What a configuration means now.
   *
   * @param nameless topics whose table would have the name of another topic's: why, and the cure
   */
  private record Found(List<ReckonedTable> tables, Map<String, String> nameless) {}

  /**
   * Reads the configuration; Kafka is asked later.
   *
   * @param kafka which topics a pattern means
   * @param firsts which of several topics has their table's name
   */
  ConfiguredTables(
      ConnectorConfig config, TopicsOfPattern kafka, FirstTopics firsts, MonotonicClock clock) {
    this.tables = new TableSettings(config);
    this.topics =
        Stream.of(config.originalsStrings().getOrDefault("topics", "").split(",", -1))
            .map(String::trim)
            .filter(topic -> !topic.isEmpty())
            .distinct()
            .toList();
    this.pattern =
        Optional.of(config.originalsStrings().getOrDefault("topics.regex", ""))
            .filter(regex -> !regex.isBlank())
            .map(Pattern::compile);
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
  public Map<String, String> nameless() throws IOException {
    return newest.isPresent() ? newest.get().nameless() : found().nameless();
  }

  private Found found() throws IOException {
    long nowMs = clock.millis();
    // A topic that is new may lead to a table that others feed, which is not complete without it.
    Duration pause = shares ? Duration.ZERO : askAgain ? REFRESH_AT_ONCE : REFRESH;
    if (newest.isEmpty() || (pattern.isPresent() && nowMs - askedMs >= pause.toMillis())) {
      askedMs = nowMs;
      askAgain = false;
      try {
        newest = Optional.of(byTable(pattern.isPresent() ? kafka.topics(pattern.get()) : topics));
      } catch (IOException e) {
        if (newest.isEmpty() || shares) {
          throw e;
        }
        // A topic that is new has nothing that could be complete. All others go on.
        LOG.debug("which topics {} means is not known now: {}", pattern, PrintableText.of(e));
      }
    }
    return newest.get();
  }

  @Override
  public void refresh() {
    askAgain = true;
  }

  private Found byTable(Collection<String> of) throws IOException {
    // Topics that share a table have one root; others would only have one name in the catalog.
    Map<TableName, Map<TableLayout, Fed>> named = new LinkedHashMap<>();
    Map<TableName, String> uncounted = new HashMap<>();
    Map<String, String> nameless = new LinkedHashMap<>();
    for (String topic : of) {
      if (!tables.isReckoned(topic)) {
        for (Table table : tables.tables(topic)) {
          uncounted.put(table.name(), topic);
          if (table.options().reckoned()) {
            nameless.put(topic, halfCounted(topic, table.name()));
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
                            topic -> nameless.put(topic, fedToo(topic, other, each.getKey()))));
        continue;
      }
      List<Fed> all = List.copyOf(each.getValue().values());
      Optional<String> first = all.size() > 1 ? firsts.of(each.getKey()) : Optional.empty();
      if (all.size() > 1 && first.isEmpty()) {
        // None has landed: which of them will have the name is not known, so all are awaited.
        List<String> any = all.stream().flatMap(fed -> fed.topics().stream()).toList();
        reckoned.add(new ReckonedTable(all.get(0).table(), any));
        continue;
      }
      for (Fed fed : all) {
        if (first.isEmpty() || fed.topics().contains(first.get())) {
          reckoned.add(new ReckonedTable(fed.table(), fed.topics()));
        } else {
          fed.topics()
              .forEach(topic -> nameless.put(topic, taken(topic, first.get(), each.getKey())));
        }
      }
    }
    // Where it feeds another table too, it is awaited there: it lands nothing until it is named
    // otherwise.
    reckoned.forEach(table -> nameless.keySet().removeAll(table.topics()));
    return new Found(List.copyOf(reckoned), Map.copyOf(nameless));
  }

  /** A table and the topics whose records may land there. */
  private record Fed(Table table, List<String> topics) {}

  private static String fedToo(String topic, String other, TableName table) {
    return "%s: its table %s is fed by %s too, which completeness.enabled=false leaves out, so nothing says whether the table is complete. Set table.%s.completeness.enabled for all of its topics, or lead them to tables of their own"
        .formatted(topic, table, other, table);
  }

  private static String halfCounted(String topic, TableName table) {
    return "%s: of another one of its tables completeness.enabled=false says nothing, and a topic is counted for all of its tables or for none, so nothing says whether %s is complete. Set topic.%s.completeness.enabled in place of keys of its tables"
        .formatted(topic, table, topic);
  }

  private static String taken(String topic, String first, TableName table) {
    return "%s: its table would be %s, which the topic %s was first to have, so nothing says whether it is complete. Leave it out of topics.regex, and give it a connector with another hive.table.name, or another table in topic2table.map"
        .formatted(topic, table, first);
  }
}
