package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Sorted;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.RecordCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An operator's acknowledgement of holds, or release or retirement of topics.
 *
 * @param holds the holds that are acknowledged, as the ledger's state has them
 * @param released the topics that are no longer configured and are to be removed from their tables
 * @param retired the topics to which producers no longer write, so that they may be deleted
 */
public record Acknowledgement(
    String operator, String reason, Set<Hold> holds, Set<String> released, Set<String> retired) {

  public Acknowledgement {
    holds = Set.copyOf(holds);
    released = Set.copyOf(released);
    retired = Set.copyOf(retired);
  }

  /**
   * Returns the ledger's next entry.
   *
   * @throws IllegalArgumentException the ledger does not have one of the holds, or a hold was
   *     acknowledged before
   */
  public LedgerEntry.Acknowledge entry(Ledger ledger, UUID attempt, Instant now) {
    LedgerState state = ledger.state();
    List<Hold> after = new ArrayList<>();
    List<Hold> lifted = new ArrayList<>();
    for (Hold hold : state.holds()) {
      if (holds.contains(hold) && hold.open()) {
        lifted.add(hold);
        after.add(hold.acknowledgedFor(reason, now));
      } else {
        after.add(hold);
      }
    }
    if (lifted.size() != holds.size()) {
      throw new IllegalArgumentException(
          "the ledger has " + state.holds() + ", but " + holds + " should be acknowledged");
    }
    SortedMap<String, TableState> tables = new TreeMap<>(state.tables());
    tables.replaceAll((name, table) -> table.withoutTopics(released::contains));
    SortedMap<String, TopicState> topics = new TreeMap<>(state.topics());
    topics
        .entrySet()
        .removeIf(each -> released.contains(each.getKey()) && !each.getValue().isKnown());
    topics.replaceAll(
        (name, topic) ->
            topic.with(
                draft -> {
                  for (Hold hold : lifted) {
                    restart(hold, name, topic, draft);
                  }
                  if (released.contains(name)) {
                    draft.assigned = Sorted.none();
                  }
                  if (retired.contains(name)) {
                    draft.retired =
                        Optional.of(new TopicState.Retired(topic.topicId(), ledger.number() + 1));
                  }
                }));
    LedgerState changed =
        state.with(
            draft -> {
              draft.topics = topics;
              draft.tables = tables;
              draft.holds = after;
            });
    return new LedgerEntry.Acknowledge(
        attempt,
        changed.withoutPositions(),
        now,
        operator,
        reason,
        lifted,
        released.stream().sorted().toList(),
        retired.stream().sorted().toList());
  }

  /** Removes from a topic's counts what was read of a log that does not continue there. */
  private static void restart(Hold hold, String name, TopicState topic, TopicState.Draft draft) {
    Position at = topic.at().get(hold.topicPartition());
    if (hold.kind() == HoldKind.GAP && hold.topic().equals(name) && at != null) {
      draft.counts =
          draft.counts.continues(at.counts()) ? draft.counts.minus(at.counts()) : RecordCounts.NONE;
      draft.countsBefore =
          draft.countsBefore.continues(at.counts()) && draft.counts.total() > 0
              ? draft.countsBefore.minus(at.counts())
              : RecordCounts.NONE;
    }
  }
}
