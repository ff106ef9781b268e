package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Creates snapshots from Kafka's answers, and adds a snapshot to the ledger's state. */
public final class Snapshots {
  private Snapshots() {}

  /**
   * Returns the topics whose answers agree with each other and with the ledger. The end offsets
   * were requested between the two descriptions of the topics. So they cannot belong to another
   * topic of the same name.
   *
   * @param before the topics as first described
   * @param ends the end offsets by topic, beginning with topic-partition 0
   * @param after the topics as described afterwards
   * @return topics for a snapshot. Request the missing topics again
   */
  public static SortedMap<String, TopicEnds> agreeing(
      LedgerState state,
      Map<String, TopicDescription> before,
      Map<String, List<Long>> ends,
      Map<String, TopicDescription> after) {
    SortedMap<String, TopicEnds> agreeing = new TreeMap<>();
    before.forEach(
        (topic, description) -> {
          List<Long> found = ends.getOrDefault(topic, List.of());
          TopicState known = state.topics().getOrDefault(topic, TopicState.unknown());
          if (description.equals(after.get(topic))
              && found.size() == description.topicPartitions()
              && !shrunk(known, description, found)) {
            agreeing.put(topic, new TopicEnds(description.topicId(), found));
          }
        });
    return agreeing;
  }

  /**
   * Returns whether a topic has fewer topic-partitions or smaller end offsets than before. Neither
   * ever decreases.
   */
  private static boolean shrunk(TopicState known, TopicDescription found, List<Long> ends) {
    if (found.topicId().equals(known.topicId())
        && found.topicPartitions() < known.topicPartitions()) {
      return true;
    }
    for (Map.Entry<Integer, Position> each : known.at().entrySet()) {
      Position position = each.getValue();
      if (position.topicId().equals(found.topicId())
          && (each.getKey() >= ends.size() || ends.get(each.getKey()) < position.next())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the state with a snapshot.
   *
   * @param number the number of the snapshot's entry, the next one of the ledger
   */
  public static LedgerState with(Ledger ledger, long number, Snapshot snapshot) {
    LedgerState state = ledger.state();
    Holds holds = new Holds(state.holds());
    SortedMap<String, TopicState> topics = new TreeMap<>(state.topics());
    snapshot
        .topics()
        .forEach(
            (name, ends) -> {
              TopicState topic = topics.getOrDefault(name, TopicState.unknown());
              if (!topic.topicId().isEmpty() && !topic.topicId().equals(ends.topicId())) {
                holds.addDeleted(name, topic.topicId(), topic.at(), ledger.snapshots().values());
              }
              topics.put(name, seen(topic, ends));
            });
    List<Long> pending = new ArrayList<>(state.pending());
    pending.add(number);
    Optional<Instant> last =
        Optional.of(
            state
                .lastTick()
                .filter(tick -> tick.isAfter(snapshot.through()))
                .filter(tick -> !tick.isAfter(snapshot.askedAt()))
                .orElse(snapshot.through()));
    return state
        .with(
            draft -> {
              draft.lastTick = last;
              draft.pending = thinned(pending);
              draft.topics = topics;
              draft.holds = holds.all();
            })
        .withoutPositions();
  }

  /**
   * Returns the state of a topic after a snapshot of it. The first topic of a name may have had
   * records before the ledger began. If a topic has replaced another topic of the name, accounts
   * must contain all of its offsets, beginning at the first.
   */
  private static TopicState seen(TopicState topic, TopicEnds ends) {
    int found = ends.ends().size();
    boolean same = topic.topicId().equals(ends.topicId());
    return topic.with(
        draft -> {
          draft.topicId = ends.topicId();
          draft.firstTopicPartitions =
              same ? topic.firstTopicPartitions() : topic.topicId().isEmpty() ? found : 0;
          draft.topicPartitions = same ? Math.max(topic.topicPartitions(), found) : found;
          draft.goneSince = Optional.empty();
        });
  }

  /**
   * Returns at most the maximum number of pending snapshots. If there are more, every second
   * snapshot is removed, except the first and the last. Completeness is then reported later, but
   * never falsely.
   */
  static List<Long> thinned(List<Long> pending) {
    if (pending.size() <= LedgerState.PENDING_MOST) {
      return List.copyOf(pending);
    }
    List<Long> kept = new ArrayList<>();
    for (int i = 0; i < pending.size(); i++) {
      if (i % 2 == 0 || i == pending.size() - 1) {
        kept.add(pending.get(i));
      }
    }
    return List.copyOf(kept);
  }
}
