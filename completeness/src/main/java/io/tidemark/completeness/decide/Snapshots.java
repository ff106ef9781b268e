package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.Sorted;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicEnds;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** When snapshots are due, their topics by Kafka's answers, and their entries in the ledger. */
public final class Snapshots {
  private Snapshots() {}

  /**
   * Returns the newest time for which a snapshot is due now. Earlier times need no separate
   * snapshot, because a later snapshot includes them.
   *
   * @param ends the ends of Hive partitions, in addition to the multiples of the interval
   * @param last the newest time for which a snapshot was taken
   */
  public static Optional<Instant> due(
      Duration interval,
      Duration lateness,
      Collection<Instant> ends,
      Optional<Instant> last,
      Instant now) {
    Instant latest = now.minus(lateness);
    long length = interval.toMillis();
    Instant multiple = Instant.ofEpochMilli(Math.floorDiv(latest.toEpochMilli(), length) * length);
    return Stream.concat(Stream.of(multiple), ends.stream())
        .filter(time -> !time.isAfter(latest))
        .max(Comparator.naturalOrder())
        .filter(time -> last.isEmpty() || time.isAfter(last.get()));
  }

  /**
   * Returns the newest time for which a snapshot was taken, unless it is in the future. A clock
   * that was ahead and was corrected would otherwise delay the next snapshot.
   */
  public static Optional<Instant> plausible(Optional<Instant> last, Instant now) {
    return last.filter(time -> !time.isAfter(now));
  }

  /**
   * Returns the topics whose answers agree with each other and with the ledger. The end offsets
   * were requested between the first description of the topics and the others. So they cannot
   * belong to another topic of the same name.
   *
   * @param before the topics as first described
   * @param ends the end offsets by topic, beginning with topic-partition 0
   * @param after the topics as each of several clients described them afterwards
   */
  public static SortedMap<String, TopicEnds> agreeing(
      LedgerState state,
      Map<String, TopicDescription> before,
      Map<String, List<Long>> ends,
      Collection<Map<String, TopicDescription>> after) {
    SortedMap<String, TopicEnds> agreeing = new TreeMap<>();
    before.forEach(
        (topic, description) -> {
          List<Long> found = ends.getOrDefault(topic, List.of());
          if (after.stream().allMatch(each -> description.equals(each.get(topic)))
              && found.size() == description.topicPartitions()
              && !shrunk(state.topic(topic), description, found)) {
            agreeing.put(topic, new TopicEnds(description.topicId(), found, Sorted.none()));
          }
        });
    return agreeing;
  }

  /** Returns whether topic-partitions or end offsets are fewer, which never happens to a topic. */
  private static boolean shrunk(TopicState known, TopicDescription found, List<Long> ends) {
    boolean fewer =
        found.topicId().equals(known.topicId())
            && found.topicPartitions() < known.topicPartitions();
    // A claim alone proves nothing: a task may have had the topic-partition of a former topic.
    return fewer
        || known.at().entrySet().stream()
            .filter(each -> each.getValue().topicId().equals(found.topicId()))
            .filter(each -> each.getValue().next() >= 0)
            .anyMatch(
                each ->
                    each.getKey() >= ends.size()
                        || ends.get(each.getKey()) < each.getValue().next());
  }

  /**
   * Returns the ledger's next entry, with a snapshot. A topic is left out if the tasks have landed
   * it from another cluster: these end offsets say nothing about it. From now on the tables have
   * these topics, also if they are deleted before the next decision.
   */
  public static LedgerEntry.SnapshotTaken entry(
      Ledger ledger, Snapshot taken, Map<String, List<String>> tables, UUID attempt, Instant now) {
    LedgerState state = ledger.state();
    SortedMap<String, TopicEnds> proved = new TreeMap<>(taken.topics());
    proved.keySet().removeIf(name -> isOfOtherCluster(state.topic(name).at(), taken.clusterId()));
    Snapshot snapshot = new Snapshot(taken.through(), taken.askedAt(), taken.clusterId(), proved);
    Holds holds = new Holds(state.holds());
    SortedMap<String, TopicState> topics = new TreeMap<>(state.topics());
    for (Map.Entry<String, TopicEnds> each : snapshot.topics().entrySet()) {
      TopicState topic = state.topic(each.getKey());
      TopicState seen = seen(topic, each.getValue(), state.lastTick().isEmpty());
      noteTopic(ledger, each.getKey(), seen, holds);
      topics.put(each.getKey(), seen);
    }
    if (state.lastTick().isEmpty()) {
      topics.forEach((name, topic) -> addBeforeFirst(name, topic, holds));
    }
    List<Long> pending = new ArrayList<>(state.pending());
    pending.add(ledger.number() + 1);
    Optional<Instant> last =
        Optional.of(
            state
                .lastTick()
                .filter(tick -> tick.isAfter(snapshot.through()))
                .filter(tick -> !tick.isAfter(snapshot.askedAt()))
                .orElse(snapshot.through()));
    LedgerState after =
        state.with(
            draft -> {
              draft.lastTick = last;
              draft.pending = thinned(pending);
              draft.topics = topics;
              draft.tables = withTopics(state, tables, snapshot.topics().keySet());
              draft.holds = holds.all();
            });
    return new LedgerEntry.SnapshotTaken(attempt, after.withoutPositions(), now, snapshot);
  }

  /** Returns whether the tasks have landed a topic of other clusters, and nothing of this one. */
  public static boolean isOfOtherCluster(Map<Integer, Position> at, String clusterId) {
    return !at.isEmpty()
        && at.values().stream().noneMatch(position -> position.clusterId().equals(clusterId));
  }

  private static SortedMap<String, TableState> withTopics(
      LedgerState state, Map<String, List<String>> tables, Set<String> seen) {
    SortedMap<String, TableState> all = new TreeMap<>(state.tables());
    tables.forEach(
        (name, topics) -> {
          TableState table = all.getOrDefault(name, TableState.UNKNOWN);
          SortedSet<String> now = new TreeSet<>(topics);
          now.retainAll(seen);
          now.addAll(table.topics());
          if (!now.isEmpty()) {
            all.put(name, table.withTopics(List.copyOf(now)));
          }
        });
    return all;
  }

  /** Adds the holds of a topic that another one has replaced, or whose logs begin above 0. */
  private static void noteTopic(Ledger ledger, String name, TopicState seen, Holds holds) {
    TopicState before = ledger.state().topic(name);
    if (!before.topicId().equals(seen.topicId())) {
      holds.addDeleted(name, before, before.at(), ledger.snapshots());
      addBeforeFirst(name, seen, holds);
    }
    holds.exists(name, seen.topicId());
  }

  private static void addBeforeFirst(String name, TopicState topic, Holds holds) {
    for (Map.Entry<Integer, Position> each : topic.at().entrySet()) {
      Position at = each.getValue();
      if (!at.adopted() && (topic.topicId().isEmpty() || at.topicId().equals(topic.topicId()))) {
        long first = at.next() - at.counts().total();
        holds.addBeforeFirst(name, each.getKey(), topic, at.topicId(), first, List.of());
      }
    }
  }

  /**
   * Returns the state of a topic after a snapshot of it. The topics of the ledger's first snapshot
   * may have had records before the ledger began. Of others, accounts must have all offsets.
   */
  private static TopicState seen(TopicState topic, TopicEnds ends, boolean firstSnapshot) {
    int found = ends.ends().size();
    boolean same = topic.topicId().equals(ends.topicId());
    return topic.with(
        draft -> {
          draft.topicId = ends.topicId();
          draft.firstTopicPartitions =
              same ? topic.firstTopicPartitions() : firstSnapshot ? found : 0;
          draft.topicPartitions = same ? Math.max(topic.topicPartitions(), found) : found;
          draft.retired =
              topic
                  .retired()
                  .filter(each -> same ? !isWritten(topic, ends) : topic.isRetired(each.topicId()));
          draft.goneSince = Optional.empty();
          draft.assigned = topic.assigned().tailMap(found);
        });
  }

  /** Returns whether the topic got records after all of them were covered: it is not retired. */
  private static boolean isWritten(TopicState topic, TopicEnds ends) {
    long read =
        topic.at().values().stream()
            .filter(each -> each.topicId().equals(ends.topicId()))
            .mapToLong(each -> Math.max(0, each.next()))
            .sum();
    return topic.isRetired(ends.topicId())
        && (ends.ends().stream().mapToLong(Long::longValue).sum() > read
            || !topic.counts().equals(topic.countsBefore()));
  }

  /**
   * Returns at most the maximum number of pending snapshots. If there are more, every second one is
   * removed, except the first and the last. Completeness is then reported later, never falsely.
   */
  static List<Long> thinned(List<Long> pending) {
    if (pending.size() <= LedgerState.PENDING_MOST) {
      return List.copyOf(pending);
    }
    return IntStream.range(0, pending.size())
        .filter(i -> i % 2 == 0 || i == pending.size() - 1)
        .mapToObj(pending::get)
        .toList();
  }
}
