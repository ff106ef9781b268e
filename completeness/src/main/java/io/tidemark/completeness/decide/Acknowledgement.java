package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Sorted;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * An operator's acknowledgement of holds, or release of topics.
 *
 * @param holds the holds that are acknowledged, as the ledger's state has them
 * @param released the topics that are no longer configured and are to be removed from their tables
 */
public record Acknowledgement(
    String operator, String reason, Set<Hold> holds, Set<String> released) {

  public Acknowledgement {
    holds = Set.copyOf(holds);
    released = Set.copyOf(released);
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
        after.add(hold.acknowledgedFor(reason));
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
    topics.replaceAll(
        (name, topic) -> released.contains(name) ? topic.withAssigned(Sorted.none()) : topic);
    topics
        .entrySet()
        .removeIf(each -> released.contains(each.getKey()) && !each.getValue().isKnown());
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
        released.stream().sorted().toList());
  }
}
