package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.entry.Snapshot;
import io.tidemark.connect.ledger.entry.TopicEnds;
import io.tidemark.connect.ledger.state.LedgerState;
import io.tidemark.connect.ledger.state.Position;
import io.tidemark.connect.ledger.state.TopicState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Kafka's answers as a snapshot, and the ledger's state with it. */
public final class Snapshots {
  private Snapshots() {}

  /**
   * Those topics whose answers agree with each other and with what is known. The end offsets were
   * asked for between the two descriptions, so none of them can be of another topic of that name.
   *
   * @param before the topics as they were described first
   * @param ends the end offsets by topic, from topic-partition 0
   * @param after the topics as they were described afterwards
   * @return what a snapshot can name; a topic that is missing is asked for again
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

  /** Whether a topic has less than it had: topic-partitions and high watermarks never go back. */
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
   * The state with a snapshot.
   *
   * @param number of the snapshot's entry, the next of the ledger
   */
  public static LedgerState with(Ledger ledger, long number, Snapshot snapshot) {
    LedgerState state = ledger.state();
    Blocks blocks = new Blocks(state.blocks());
    SortedMap<String, TopicState> topics = new TreeMap<>(state.topics());
    snapshot
        .topics()
        .forEach(
            (name, ends) -> {
              TopicState topic = topics.getOrDefault(name, TopicState.unknown());
              if (!topic.topicId().isEmpty() && !topic.topicId().equals(ends.topicId())) {
                blocks.addDeleted(name, topic.topicId(), topic.at(), ledger.snapshots().values());
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
    return new LedgerState(
            last,
            thinned(pending),
            state.shownThrough(),
            topics,
            state.tables(),
            state.groups(),
            blocks.all(),
            state.announcements(),
            state.requires(),
            state.unknown())
        .withoutPositions();
  }

  /**
   * The topic as it was seen. The first topic that the ledger sees under a name may have had
   * records before; of one that has taken its place it must account for all.
   */
  private static TopicState seen(TopicState topic, TopicEnds ends) {
    int found = ends.ends().size();
    boolean same = topic.topicId().equals(ends.topicId());
    return new TopicState(
        ends.topicId(),
        same ? topic.firstTopicPartitions() : topic.topicId().isEmpty() ? found : 0,
        same ? Math.max(topic.topicPartitions(), found) : found,
        topic.through(),
        topic.snapshot(),
        topic.askedAt(),
        topic.counts(),
        topic.countsBefore(),
        topic.partialBefore(),
        topic.held(),
        topic.at());
  }

  /**
   * Not more pending snapshots than the ledger keeps: where there are too many, every second one
   * but the first and the last goes. Then something is shown to be complete later, and nothing
   * falsely.
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
