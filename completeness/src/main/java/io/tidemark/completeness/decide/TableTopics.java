package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides which topics each table has, and when a topic or a table is removed from the ledger.
 * Without removal, the ledger's entries would grow with every topic of a pattern that was ever
 * created, because each entry contains all topics.
 *
 * <p>A topic is removed from the ledger a week after it was found to be deleted. A table is removed
 * with its last topic. A later topic of the same name is another topic: its entries are read from
 * the first one on, those of the former topic are ignored, and the totals of Hive partitions that
 * may have older files are partial. Within the week the ledger has the topic's positions, so a
 * topic that Kafka did not return for a while continues.
 */
record TableTopics(LedgerState before, LedgerSettings settings, Findings findings) {
  /** The time until a deleted topic is removed: by the reckoner's clock and by the store's. */
  static final Duration KEPT = Duration.ofDays(7);

  /** Returns the tables with their topics: the configured ones, and those of before. */
  SortedMap<String, TableState> tables() {
    SortedMap<String, TableState> tables = new TreeMap<>(before.tables());
    Set<String> ended = findings.topics().assigned().ended(before);
    tables.replaceAll((name, table) -> table.withoutTopics(ended::contains));
    TableState unknown = new TableState(List.of(), Optional.empty(), Optional.empty());
    for (Map.Entry<String, List<String>> each : settings.tables().entrySet()) {
      TableState table = tables.getOrDefault(each.getKey(), unknown);
      SortedSet<String> all = new TreeSet<>(each.getValue());
      all.addAll(table.topics());
      all.removeAll(findings.topics().nameTaken().keySet());
      tables.put(each.getKey(), table.withTopics(List.copyOf(all)));
    }
    return tables;
  }

  /** Removes deleted topics from their tables, unless a hold of the topic prevents completeness. */
  SortedMap<String, TableState> withoutDeletedTopics(
      Map<String, TableState> tables, Collection<Hold> holds) {
    SortedMap<String, TableState> left = new TreeMap<>(tables);
    left.replaceAll(
        (name, table) ->
            table.withoutTopics(
                topic -> findings.gone().contains(topic) && !prevents(holds, topic)));
    return left;
  }

  private boolean prevents(Collection<Hold> holds, String topic) {
    return holds.stream()
        .anyMatch(hold -> hold.topic().equals(topic) && settings.rules().prevents(hold));
  }

  /**
   * Returns the state without the topics and tables that are removed from the ledger now.
   *
   * @param moved the topics with accounts that were read
   * @param now the reckoner's clock
   */
  LedgerState withoutRemoved(LedgerState after, Set<String> moved, Instant now) {
    Set<String> withTable = after.topicsOfTables();
    settings.tables().values().forEach(withTable::addAll);
    SortedMap<String, TopicState> topics = new TreeMap<>();
    for (Map.Entry<String, TopicState> each : after.topics().entrySet()) {
      String name = each.getKey();
      Optional<Instant> since = goneSince(name, each.getValue(), withTable, now);
      boolean leaves =
          isOver(since, now)
              && findings.gone().contains(name)
              && !moved.contains(name)
              && !prevents(after.holds(), name);
      if (!leaves) {
        topics.put(name, each.getValue().withGoneSince(since));
      }
    }
    return after.with(
        draft -> {
          draft.topics = topics;
          draft.tables = tables(after.tables(), topics, withTable, now);
          draft.holds =
              after.holds().stream()
                  .filter(
                      hold ->
                          topics.containsKey(hold.topic())
                              || !before.topics().containsKey(hold.topic()))
                  .toList();
        });
  }

  private Optional<Instant> goneSince(
      String name, TopicState topic, Set<String> withTable, Instant now) {
    if (withTable.contains(name)) {
      return Optional.empty();
    }
    return findings.gone().contains(name)
        ? topic.goneSince().or(() -> Optional.of(now))
        : topic.goneSince();
  }

  private SortedMap<String, TableState> tables(
      Map<String, TableState> tables,
      Map<String, TopicState> topics,
      Set<String> withTable,
      Instant now) {
    // A table stays while a released topic exists in Kafka: the topic may be configured for the
    // table again, which then needs the totals of its files.
    boolean released =
        topics.entrySet().stream()
            .anyMatch(
                each ->
                    !withTable.contains(each.getKey()) && each.getValue().goneSince().isEmpty());
    Set<String> members = new TreeSet<>();
    settings.groups().values().forEach(members::addAll);
    SortedMap<String, TableState> kept = new TreeMap<>();
    tables.forEach(
        (name, table) -> {
          boolean stays = !table.topics().isEmpty() || settings.tables().containsKey(name);
          Optional<Instant> since =
              stays ? Optional.empty() : table.goneSince().or(() -> emptied(name, now));
          boolean leaves =
              isOver(since, now)
                  && !released
                  && !members.contains(name)
                  && topics.values().stream()
                      .flatMap(topic -> topic.goneSince().stream())
                      .allMatch(since.orElseThrow()::isBefore);
          if (!leaves) {
            kept.put(name, table.withGoneSince(since));
          }
        });
    return kept;
  }

  /** Returns {@code now} if this decision removed a table's last topics as deleted. */
  private Optional<Instant> emptied(String name, Instant now) {
    return Optional.ofNullable(before.tables().get(name))
        .filter(table -> table.topics().stream().anyMatch(findings.gone()::contains))
        .map(table -> now);
  }

  private boolean isOver(Optional<Instant> since, Instant now) {
    Optional<Instant> passed = findings.passed(now);
    return since.isPresent()
        && passed.isPresent()
        && since.get().isBefore(passed.get().minus(KEPT));
  }
}
