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
import java.util.stream.Stream;

/**
 * Decides which topics each table has, and when a topic or a table is removed from the ledger.
 * Without removal, the ledger's entries would grow with every topic of a pattern that was ever
 * created, because each entry contains all topics.
 *
 * <p>A topic is removed from the ledger a week after it was found to be deleted. A table is removed
 * with its last topic. A later topic of the same name is another topic: its entries are taken from
 * the first one on, those of the former topic are ignored, and the totals of Hive partitions that
 * may have older files are partial. Within the week the ledger has the topic's positions, so a
 * topic that Kafka did not return for a while continues.
 */
final class Feeding {
  /**
   * The time until a deleted topic is removed. It must have passed according to the reckoner's
   * clock and to the store's.
   */
  static final Duration KEPT = Duration.ofDays(7);

  private final LedgerState before;
  private final LedgerSettings settings;
  private final Findings findings;
  private final Set<String> configured = new TreeSet<>();

  /** Creates the object of one decision. */
  Feeding(LedgerState before, LedgerSettings settings, Findings findings) {
    this.before = before;
    this.settings = settings;
    this.findings = findings;
    settings.tables().values().forEach(configured::addAll);
  }

  /**
   * Returns the topics of each table: the configured topics, and the topics that the table had
   * before.
   */
  SortedMap<String, TableState> sources() {
    SortedMap<String, TableState> tables = new TreeMap<>(before.tables());
    settings
        .tables()
        .forEach(
            (name, topics) -> {
              TableState table = tables.getOrDefault(name, TableState.of(List.of()));
              SortedSet<String> all = new TreeSet<>(topics);
              all.addAll(table.topics());
              all.removeAll(findings.topics().nameless().keySet());
              tables.put(name, table.withTopics(List.copyOf(all)));
            });
    return tables;
  }

  /** Removes deleted topics from their tables, unless a hold of the topic prevents completeness. */
  SortedMap<String, TableState> withoutDeletedTopics(
      Map<String, TableState> sources, Collection<Hold> holds) {
    SortedMap<String, TableState> feeding = new TreeMap<>();
    sources.forEach(
        (name, table) ->
            feeding.put(
                name,
                table.withTopics(
                    table.topics().stream()
                        .filter(topic -> !findings.gone().contains(topic) || prevents(holds, topic))
                        .toList())));
    return feeding;
  }

  private boolean prevents(Collection<Hold> holds, String topic) {
    return holds.stream()
        .anyMatch(hold -> hold.topic().equals(topic) && Holds.prevents(hold, settings));
  }

  /**
   * Returns the state without the topics and tables that are removed from the ledger now.
   *
   * @param moved the topics with accounts that were taken
   * @param now the reckoner's clock
   */
  LedgerState withoutRemoved(LedgerState after, Set<String> moved, Instant now) {
    Set<String> feeding = new TreeSet<>(configured);
    after.tables().values().forEach(table -> feeding.addAll(table.topics()));
    SortedMap<String, TopicState> topics = new TreeMap<>();
    after
        .topics()
        .forEach(
            (name, topic) -> {
              Optional<Instant> since = goneSince(name, topic, feeding, now);
              boolean leaves =
                  isOver(since, now)
                      && findings.gone().contains(name)
                      && !moved.contains(name)
                      && !prevents(after.holds(), name);
              if (!leaves) {
                topics.put(name, topic.withGoneSince(since));
              }
            });
    return after.with(
        draft -> {
          draft.topics = topics;
          draft.tables = tables(after.tables(), topics, feeding, now);
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
      String name, TopicState topic, Set<String> feeding, Instant now) {
    if (feeding.contains(name)) {
      return Optional.empty();
    }
    return findings.gone().contains(name)
        ? topic.goneSince().or(() -> Optional.of(now))
        : topic.goneSince();
  }

  private SortedMap<String, TableState> tables(
      Map<String, TableState> tables,
      Map<String, TopicState> topics,
      Set<String> feeding,
      Instant now) {
    // A table stays while a released topic exists in Kafka: the topic may be configured for the
    // table again, which then needs the totals of its files.
    boolean released =
        topics.entrySet().stream()
            .anyMatch(
                each -> !feeding.contains(each.getKey()) && each.getValue().goneSince().isEmpty());
    Set<String> members = new TreeSet<>();
    settings.groups().values().forEach(members::addAll);
    SortedMap<String, TableState> kept = new TreeMap<>();
    tables.forEach(
        (name, table) -> {
          boolean fed = !table.topics().isEmpty() || settings.tables().containsKey(name);
          Optional<Instant> since =
              fed ? Optional.empty() : table.goneSince().or(() -> emptied(name, now));
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

  /**
   * Returns {@code now} if this decision removed a table's last topics because they were deleted.
   */
  private Optional<Instant> emptied(String name, Instant now) {
    TableState table = before.tables().get(name);
    return Stream.ofNullable(table)
            .flatMap(each -> each.topics().stream())
            .anyMatch(findings.gone()::contains)
        ? Optional.of(now)
        : Optional.empty();
  }

  private boolean isOver(Optional<Instant> since, Instant now) {
    return since
        .filter(
            then ->
                findings.passed(now).filter(both -> then.isBefore(both.minus(KEPT))).isPresent())
        .isPresent();
  }
}
