package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Sorted;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.completeness.ledger.Uncounted;
import io.tidemark.store.batch.RecordCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * An operator's acknowledgement of holds, or release or retirement of topics.
 *
 * @param holds selects open holds that are acknowledged
 * @param released the topics that are no longer configured and are to be removed from their tables
 * @param retired the topics to which producers no longer write, so that they may be deleted
 */
public record Acknowledgement(
    String operator,
    String reason,
    Predicate<Hold> holds,
    Set<String> released,
    Set<String> retired) {

  public Acknowledgement {
    released = Set.copyOf(released);
    retired = Set.copyOf(retired);
  }

  /**
   * Checks whether a ledger has what is acknowledged, released or retired.
   *
   * @throws IllegalArgumentException a topic has no table in the ledger, or is to be retired and is
   *     in no snapshot; or nothing is selected
   */
  public void check(Ledger ledger) {
    LedgerState state = ledger.state();
    Set<String> all = new TreeSet<>(released);
    all.addAll(retired);
    for (String topic : all) {
      if (!state.topicsOfTables().contains(topic)) {
        throw new IllegalArgumentException(
            "the topic %s has no table in this ledger, which has the tables %s. Check the topic's name. It may already be released."
                .formatted(topic, state.tables().keySet()));
      }
      if (retired.contains(topic) && state.topic(topic).topicId().isEmpty()) {
        throw new IllegalArgumentException(
            "the topic %s is in no snapshot of this ledger yet, so it cannot be retired. Try again after completeness.interval.ms."
                .formatted(topic));
      }
    }
    List<Hold> open = state.holds().stream().filter(Hold::open).toList();
    if (all.isEmpty() && open.stream().noneMatch(holds)) {
      throw new IllegalArgumentException(
          "no open hold of the ledger matches; it has %s. Run tidemark status, and name a hold as it is shown there."
              .formatted(open));
    }
  }

  /** Returns the ledger's next entry; throws as {@link #check}. */
  public LedgerEntry.Acknowledge entry(Ledger ledger, UUID attempt, Instant now) {
    check(ledger);
    LedgerState state = ledger.state();
    List<Hold> after = new ArrayList<>();
    List<Hold> lifted = new ArrayList<>();
    for (Hold hold : state.holds()) {
      if (hold.open() && holds.test(hold)) {
        lifted.add(hold);
        after.add(hold.acknowledgedFor(reason, now));
      } else {
        after.add(hold);
      }
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
              draft.announcements =
                  state.announcements().map(all -> all.uncounted(restarted(lifted, now)));
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

  /**
   * Returns the topics of logs that do not continue at the ledger's position. The log may lack
   * records that were counted for announced batches, and may get no further account.
   */
  private static Map<String, Uncounted> restarted(List<Hold> lifted, Instant now) {
    Map<String, Uncounted> topics = new HashMap<>();
    for (Hold hold : lifted) {
      if (hold.kind() == HoldKind.GAP) {
        topics.put(hold.topic(), new Uncounted(now, Taking.restarts(hold.topicPartition())));
      }
    }
    return topics;
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
