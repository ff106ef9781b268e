package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TopicState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The holds of a ledger while a decision is made. Not thread-safe. */
final class Holds {
  /**
   * Maximum number of open holds of one kind in a topic-partition. Further offsets extend the last
   * hold: each entry of the ledger contains all holds.
   */
  static final int OPEN_MOST = 100;

  private final List<Hold> all;

  Holds(List<Hold> before) {
    all = new ArrayList<>(before);
  }

  List<Hold> all() {
    return Collections.unmodifiableList(all);
  }

  void add(HoldKind kind, String topic, int topicPartition, String topicId, long from, long to) {
    Hold hold = new Hold(kind, topic, topicPartition, topicId, from, to);
    if (all.stream()
        .filter(other -> sameTopicPartition(hold, other))
        .noneMatch(other -> from == other.from() && to == other.to())) {
      List<Hold> alike =
          all.stream().filter(other -> other.open() && sameTopicPartition(hold, other)).toList();
      if (alike.size() < OPEN_MOST) {
        all.add(hold);
      } else {
        Hold last = alike.get(alike.size() - 1);
        long least = Math.min(last.from(), from);
        long most = Math.max(last.to(), to);
        all.set(all.indexOf(last), new Hold(kind, topic, topicPartition, topicId, least, most));
      }
    }
  }

  private static boolean sameTopicPartition(Hold one, Hold other) {
    return one.kind() == other.kind()
        && one.topic().equals(other.topic())
        && one.topicPartition() == other.topicPartition()
        && one.topicId().equals(other.topicId());
  }

  /**
   * Adds a Hive partition in which readers do not see a topic's records. One hold applies to all
   * batches in the Hive partition, also later ones.
   */
  void addUnseen(String topic, String topicId, HivePartitionId hivePartition) {
    if (all.stream()
        .noneMatch(
            hold ->
                hold.topic().equals(topic)
                    && hold.hivePartition().equals(Optional.of(hivePartition)))) {
      all.add(
          new Hold(
              HoldKind.UNSEEN,
              topic,
              Hold.ALL,
              topicId,
              0,
              Long.MAX_VALUE,
              Optional.of(hivePartition),
              Optional.empty(),
              Optional.empty()));
    }
  }

  /** Removes the holds of Hive partitions that readers see now. */
  void seen(Collection<HivePartitionId> hivePartitions) {
    all.removeIf(hold -> hold.hivePartition().filter(hivePartitions::contains).isPresent());
  }

  /**
   * Adds the offsets of a topic-partition that had not landed before the topic was deleted. They
   * have no end: the topic may have received records after the last snapshot. Only of a retired
   * topic the end is known, from the snapshots that are pending for it.
   *
   * @param state the state of the present topic of this name
   * @param topicId the id of the deleted topic
   */
  void addDeleted(
      String topic,
      int topicPartition,
      TopicState state,
      String topicId,
      long next,
      SortedMap<Long, Snapshot> pending) {
    long from = Math.max(0, next);
    Collection<Snapshot> later = pending.tailMap(state.snapshot() + 1).values();
    long to =
        state.isRetired(topicId)
            ? ends(topic, topicPartition, topicId, later).max().orElse(0)
            : Long.MAX_VALUE;
    Hold hold =
        new Hold(HoldKind.DELETED, topic, topicPartition, topicId, from, Math.max(from, to));
    if (from < to
        && all.stream()
            .noneMatch(
                other ->
                    sameTopicPartition(hold, other) && other.from() <= from && to <= other.to())) {
      add(HoldKind.DELETED, topic, topicPartition, topicId, from, to);
    }
  }

  private static LongStream ends(
      String topic, int topicPartition, String topicId, Collection<Snapshot> pending) {
    return pending.stream()
        .flatMap(snapshot -> Optional.ofNullable(snapshot.topics().get(topic)).stream())
        .filter(ends -> ends.topicId().equals(topicId))
        .mapToLong(ends -> ends.end(topicPartition));
  }

  /**
   * Calls {@link #addDeleted} for a deleted topic, and later ones of its name without a snapshot.
   */
  void addDeleted(
      String topic,
      TopicState state,
      Map<Integer, Position> at,
      SortedMap<Long, Snapshot> pending) {
    for (int each = 0; each < state.topicPartitions(); each++) {
      String topicId = state.topicId();
      addDeleted(topic, each, state, topicId, landed(at.get(each), topicId), pending);
    }
    at.forEach(
        (topicPartition, position) -> {
          boolean former = // Its hold was added by the first snapshot that lacks it, or when read.
              topicPartition >= state.topicPartitions()
                  && !state.topicId().isEmpty()
                  && !state.topicId().equals(position.topicId());
          if (!former) {
            addDeleted(topic, topicPartition, state, position.topicId(), position.next(), pending);
          }
        });
  }

  /** Removes the holds of a topic that Kafka has again, with the same id: it was not deleted. */
  void exists(String topic, String topicId) {
    all.removeIf(
        hold ->
            hold.kind() == HoldKind.DELETED
                && hold.topic().equals(topic)
                && hold.topicId().equals(topicId));
  }

  /** Removes the open hold of a topic-partition whose topic was not deleted. */
  void exists(String topic, int topicPartition, String topicId) {
    Hold same = new Hold(HoldKind.DELETED, topic, topicPartition, topicId, 0, Long.MAX_VALUE);
    all.removeIf(hold -> hold.open() && sameTopicPartition(same, hold));
  }

  /**
   * Adds the offsets before the first one of a topic-partition's log, except for those that were
   * there before the ledger: its first snapshot ends above them. It is pending, because none is
   * covered without an entry of each topic-partition.
   *
   * @param state the state of the topic with this id
   * @return whether there are such offsets
   */
  boolean addBeforeFirst(
      String topic,
      int topicPartition,
      TopicState state,
      String topicId,
      long first,
      Collection<Snapshot> pending) {
    long from =
        state.topicId().equals(topicId) && topicPartition < state.firstTopicPartitions()
            ? ends(topic, topicPartition, topicId, pending).min().orElse(first)
            : 0;
    if (from < first) {
      add(HoldKind.LOST, topic, topicPartition, topicId, from, first);
    }
    return from < first;
  }

  /** Returns the first offset that has not landed, for the topic with this id; 0 if unknown. */
  private static long landed(@Nullable Position position, String topicId) {
    if (position == null) {
      return 0;
    }
    if (position.topicId().equals(topicId)) {
      return position.next();
    }
    // If a topic existed only briefly, the log may have entries of its neighbours only.
    return position
        .former()
        .filter(former -> former.topicId().equals(topicId))
        .map(Position.Former::next)
        .orElse(0L);
  }

  /** Removes from {@code DELETED} holds what had landed before, but is read only now. */
  void landed(String topic, int topicPartition, String topicId, long next) {
    for (Hold hold : List.copyOf(all)) {
      if (hold.kind() == HoldKind.DELETED
          && hold.open()
          && hold.topic().equals(topic)
          && hold.topicPartition() == topicPartition
          && hold.topicId().equals(topicId)
          && hold.from() < next) {
        all.remove(hold);
        if (next < hold.to()) {
          add(HoldKind.DELETED, topic, topicPartition, topicId, next, hold.to());
        }
      }
    }
  }

  /** Returns the hold of a log that does not continue at the ledger's position. */
  Optional<Hold> gap(String topic, int topicPartition) {
    return all.stream().filter(hold -> hold.isGap(topic, topicPartition)).findFirst();
  }

  boolean removeGap(String topic, int topicPartition) {
    Optional<Hold> gap = gap(topic, topicPartition);
    gap.ifPresent(all::remove);
    return gap.isPresent();
  }

  void removeIf(Predicate<Hold> done) {
    all.removeIf(done);
  }
}
