package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
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
record TableTopics(Draft draft) {
  /** The time until a deleted topic is removed: by the reckoner's clock and by the store's. */
  static final Duration KEPT = Duration.ofDays(7);

  /** Adds the configured tables and topics to those of before. */
  void configure() {
    Set<String> ended = draft.findings.topics().assigned().ended(draft.before);
    draft.tables.replaceAll((name, table) -> table.withoutTopics(ended::contains));
    for (Map.Entry<String, List<String>> each : draft.settings.tables().entrySet()) {
      TableState table = draft.tables.getOrDefault(each.getKey(), TableState.UNKNOWN);
      SortedSet<String> all = new TreeSet<>(each.getValue());
      all.addAll(table.topics());
      all.removeAll(draft.findings.topics().nameTaken().keySet());
      draft.tables.put(each.getKey(), table.withTopics(List.copyOf(all)));
    }
  }

  /** Removes deleted topics from their tables, unless a hold of the topic prevents completeness. */
  void removeDeletedTopics() {
    draft.tables.replaceAll(
        (name, table) -> table.withoutTopics(topic -> isGone(topic) && !isHeld(topic)));
  }

  private boolean isGone(String topic) {
    return draft.findings.topics().gone().contains(topic);
  }

  private boolean isHeld(String topic) {
    return draft.holds.all().stream()
        .anyMatch(hold -> hold.topic().equals(topic) && draft.settings.rules().prevents(hold));
  }

  /** Removes from the ledger the topics and tables for which it is time, and their holds. */
  void removeFromLedger() {
    Set<String> withTable = new TreeSet<>();
    draft.tables.values().forEach(table -> withTable.addAll(table.topics()));
    draft.settings.tables().values().forEach(withTable::addAll);
    draft.topics.replaceAll(
        (name, topic) ->
            topic.with(changed -> changed.goneSince = goneSince(name, topic, withTable)));
    draft.topics.entrySet().removeIf(each -> leaves(each.getKey(), each.getValue()));
    removeTables(withTable);
    draft.holds.removeIf(
        hold ->
            !draft.topics.containsKey(hold.topic())
                && draft.before.topics().containsKey(hold.topic()));
  }

  private boolean leaves(String name, TopicState topic) {
    return isOver(topic.goneSince())
        && isGone(name)
        && !draft.moved.containsKey(name)
        && !isHeld(name);
  }

  private Optional<Instant> goneSince(String name, TopicState topic, Set<String> withTable) {
    if (withTable.contains(name)) {
      return Optional.empty();
    }
    return isGone(name) ? topic.goneSince().or(() -> Optional.of(draft.now)) : topic.goneSince();
  }

  private void removeTables(Set<String> withTable) {
    Set<String> kept = new TreeSet<>();
    draft.settings.groups().values().forEach(kept::addAll);
    // A table stays while a released topic exists in Kafka: the topic may be configured for the
    // table again, which then needs the totals of its files.
    if (draft.topics.entrySet().stream()
        .anyMatch(
            each -> !withTable.contains(each.getKey()) && each.getValue().goneSince().isEmpty())) {
      kept.addAll(draft.tables.keySet());
    }
    draft.tables.replaceAll((name, table) -> table.withGoneSince(goneSince(name, table)));
    draft
        .tables
        .entrySet()
        .removeIf(each -> !kept.contains(each.getKey()) && leaves(each.getValue()));
  }

  private boolean leaves(TableState table) {
    return isOver(table.goneSince())
        && draft.topics.values().stream()
            .flatMap(topic -> topic.goneSince().stream())
            .allMatch(table.goneSince().orElseThrow()::isBefore);
  }

  /** The time is {@code now} if this decision removed the table's last topics as deleted. */
  private Optional<Instant> goneSince(String name, TableState table) {
    if (!table.topics().isEmpty() || draft.settings.tables().containsKey(name)) {
      return Optional.empty();
    }
    return table
        .goneSince()
        .or(
            () ->
                Optional.ofNullable(draft.before.tables().get(name))
                    .filter(before -> before.topics().stream().anyMatch(this::isGone))
                    .map(before -> draft.now));
  }

  private boolean isOver(Optional<Instant> since) {
    return since.isPresent()
        && draft.passed.filter(now -> since.get().isBefore(now.minus(KEPT))).isPresent();
  }
}
