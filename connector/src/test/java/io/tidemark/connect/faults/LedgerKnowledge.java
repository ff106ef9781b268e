package io.tidemark.connect.faults;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.connect.faults.RecordHistory.Held;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.log.CorruptLogException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a ledger can know by its entries and by accounts, and so which records it need not wait for:
 * those that an operator has released, those from before the connector began, and those of topics
 * that it could not know.
 */
final class LedgerKnowledge {
  private final World world;
  private final VisibleRows rows;

  /** The life of each topic in the first snapshot that named it. */
  private final Map<String, Integer> firstLives = new HashMap<>();

  /** The end offsets in that snapshot. */
  private final Map<TopicPartition, Long> firstEnds = new HashMap<>();

  /** The lives of each topic that are in a snapshot or in a position of the ledger. */
  private final Map<String, Set<Integer>> knownLives = new HashMap<>();

  /** The topic ids that are in a snapshot, with the largest number of topic-partitions. */
  private final Map<String, Integer> inSnapshots = new HashMap<>();

  /** By topic, when the first account that has it was put. */
  private final Map<String, Long> accountedMs = new HashMap<>();

  /** The topics that tables have, or had, in entries. */
  private final Map<String, Set<String>> ofTables = new HashMap<>();

  /** The cluster of the ledger's position in each log. */
  private final Map<TopicPartition, String> clusters = new HashMap<>();

  private final List<Hold> acknowledged = new ArrayList<>();
  private final Set<String> released = new HashSet<>();

  /** The topics of which a life was retired. A later life is of a table only if configured. */
  private final Set<String> retired = new HashSet<>();

  /** By topic, when an operator has released it last. */
  private final Map<String, Long> releasedMs = new HashMap<>();

  /** Until then nothing is known: by the first snapshot, or before. */
  private long beganMs;

  private boolean snapshots;

  LedgerKnowledge(World world, VisibleRows rows) {
    this.world = world;
    this.rows = rows;
  }

  /** What a ledger knows before its first entry. */
  LedgerKnowledge blank() {
    return new LedgerKnowledge(world, rows);
  }

  /** The ledger is empty from now on. What Kafka no longer has now was there before the ledger. */
  void begins() {
    beganMs = world.simulation().nowMs();
    snapshots = false;
  }

  LedgerKnowledge copy() {
    LedgerKnowledge copy = blank();
    copy.firstLives.putAll(firstLives);
    copy.firstEnds.putAll(firstEnds);
    knownLives.forEach((topic, lives) -> copy.knownLives.put(topic, new HashSet<>(lives)));
    copy.inSnapshots.putAll(inSnapshots);
    copy.accountedMs.putAll(accountedMs);
    ofTables.forEach((table, topics) -> copy.ofTables.put(table, new HashSet<>(topics)));
    copy.clusters.putAll(clusters);
    copy.acknowledged.addAll(acknowledged);
    copy.released.addAll(released);
    copy.retired.addAll(retired);
    copy.releasedMs.putAll(releasedMs);
    copy.beganMs = beganMs;
    copy.snapshots = snapshots;
    return copy;
  }

  void retired(String topic) {
    retired.add(topic);
  }

  /** Notes an account that was put. */
  void accounted(Account account) {
    account
        .assigned()
        .keySet()
        .forEach(topic -> accountedMs.putIfAbsent(topic, world.simulation().nowMs()));
  }

  /** Notes an account that was removed. */
  void lost(Account account) {
    accountedMs.keySet().removeAll(account.assigned().keySet());
  }

  /** Notes an entry that was appended. */
  void appended(LedgerEntry entry) {
    if (!snapshots && entry.asSnapshot().isPresent()) {
      snapshots = true;
      beganMs = entry.asSnapshot().get().askedAt().toEpochMilli();
    }
    entry
        .asSnapshot()
        .filter(snapshot -> !snapshot.clusterId().equals(OtherCluster.CLUSTER))
        .ifPresent(
            snapshot ->
                snapshot
                    .topics()
                    .forEach(
                        (topic, ends) -> {
                          know(topic, ends.topicId());
                          inSnapshots.merge(ends.topicId(), ends.ends().size(), Math::max);
                          if (firstLives.putIfAbsent(
                                  topic, SimulatedKafka.lifeOf(topic, ends.topicId()))
                              == null) {
                            for (int each = 0; each < ends.ends().size(); each++) {
                              firstEnds.put(new TopicPartition(topic, each), ends.end(each));
                            }
                          }
                        }));
    entry
        .state()
        .topics()
        .forEach(
            (topic, each) ->
                each.at()
                    .forEach(
                        (topicPartition, at) -> {
                          clusters.put(new TopicPartition(topic, topicPartition), at.clusterId());
                          know(topic, at.topicId());
                          at.former().ifPresent(former -> know(topic, former.topicId()));
                        }));
    entry
        .state()
        .tables()
        .forEach(
            (name, table) -> {
              released.removeAll(table.topics());
              ofTables.computeIfAbsent(name, same -> new HashSet<>()).addAll(table.topics());
            });
    if (entry instanceof LedgerEntry.Acknowledge acknowledge) {
      acknowledged.addAll(acknowledge.holds());
      released.addAll(acknowledge.released());
      acknowledge.released().forEach(topic -> releasedMs.put(topic, world.simulation().nowMs()));
    }
  }

  private void know(String topic, String topicId) {
    knownLives
        .computeIfAbsent(topic, same -> new HashSet<>())
        .add(SimulatedKafka.lifeOf(topic, topicId));
  }

  /**
   * The topics of a table that a reckoner can know at the time of a snapshot: its client may
   * describe them, or its configuration, an account, or a snapshot has them. Without those that an
   * operator has released, and those of which it only knows the other cluster's. If the
   * configuration leaves a topic out, only an entry can show that it belongs to the table.
   */
  List<String> known(String table, List<String> topics, Instant askedAt) {
    long askedMs = askedAt.toEpochMilli();
    return topics.stream()
        .filter(topic -> world.kafka().hasExisted(topic, askedMs))
        .filter(topic -> !released.contains(topic))
        .filter(topic -> !isOfOtherCluster(topic))
        .filter(
            topic ->
                (firstLives.containsKey(topic)
                        && (world.connector().consumes(topic)
                            || (!retired.contains(topic)
                                && ofTables.getOrDefault(table, Set.of()).contains(topic))))
                    || (world.connector().consumes(topic)
                        && (accountedMs.getOrDefault(topic, Long.MAX_VALUE) < askedMs
                            || world.connector().isByNames()
                            || isVisible(topic, askedMs))))
        .toList();
  }

  /** True if the configuration names the other cluster, and the topic's logs have begun there. */
  boolean isOfOtherCluster(String topic) {
    List<String> of =
        clusters.entrySet().stream()
            .filter(each -> each.getKey().topic().equals(topic))
            .map(Map.Entry::getValue)
            .toList();
    return !of.isEmpty() && of.stream().allMatch(OtherCluster.CLUSTER::equals);
  }

  private boolean isVisible(String topic, long sinceMs) {
    return world.kafka().metadata().isVisibleSince(topic, sinceMs)
        && world.kafka().existsSince(topic, sinceMs);
  }

  /** True if a record that has not arrived is discarded, or from before the connector began. */
  boolean isExcused(Held held) {
    return switch (held.fate()) {
      case COMPACTED, TRUNCATED -> true;
      case RETAINED_AWAY, HELD -> isAcknowledged(held) || isBefore(held);
      case DELETED ->
          held.isGoneBefore(beganMs)
              || held.isGoneBefore(releasedMs.getOrDefault(held.topicPartition().topic(), 0L))
              || isAcknowledged(held)
              || isOfOlderLog(held)
              || isBefore(held)
              || isUnknown(held);
    };
  }

  /**
   * True if this life of the topic is in no snapshot, and the ledger does not know it, or it or a
   * life before was acknowledged as deleted. The topic was created and deleted between two
   * snapshots, so the ledger does not know all of its topic-partitions. True also if this life was
   * acknowledged as deleted, and no snapshot has the topic-partition.
   */
  private boolean isUnknown(Held held) {
    String topic = held.topicPartition().topic();
    Set<Integer> known = knownLives.getOrDefault(topic, Set.of());
    int topicPartitions = inSnapshots.getOrDefault(topic + "-" + held.life(), 0);
    List<Integer> deleted =
        acknowledged.stream()
            .filter(hold -> hold.kind() == HoldKind.DELETED && hold.topic().equals(topic))
            .map(hold -> SimulatedKafka.lifeOf(topic, hold.topicId()))
            .toList();
    return topicPartitions == 0
        ? !known.contains(held.life()) || deleted.stream().anyMatch(life -> life <= held.life())
        : held.topicPartition().partition() >= topicPartitions && deleted.contains(held.life());
  }

  boolean isAcknowledged(Held held) {
    long offset = held.record().offset();
    String topic = held.topicPartition().topic();
    return acknowledged.stream()
        .anyMatch(
            hold ->
                (hold.kind() == HoldKind.LOST || hold.kind() == HoldKind.DELETED)
                    && hold.topic().equals(topic)
                    && hold.topicPartition() == held.topicPartition().partition()
                    && SimulatedKafka.lifeOf(topic, hold.topicId()) == held.life()
                    && hold.from() <= offset
                    && offset < hold.to());
  }

  /**
   * The operator continued an older log, and moved away the files that it lacks, so that their
   * records land again. Then the topic was deleted. The acknowledgement of the gap is about them.
   */
  private boolean isOfOlderLog(Held held) {
    TopicPartition topicPartition = held.topicPartition();
    return world.operator().changedLog(topicPartition)
        && acknowledged.stream()
            .anyMatch(
                hold ->
                    hold.kind() == HoldKind.GAP
                        && hold.topic().equals(topicPartition.topic())
                        && hold.topicPartition() == topicPartition.partition()
                        && SimulatedKafka.lifeOf(hold.topic(), hold.topicId()) == held.life()
                        && held.record().offset() < hold.from());
  }

  /**
   * The connector began after this record, and the record was there before the ledger: it is below
   * the end offset in the first snapshot that names the topic.
   */
  boolean isBefore(Held held) {
    TopicPartition topicPartition = held.topicPartition();
    String topic = topicPartition.topic();
    if (!world.kafka().isPositionedBlindly(topicPartition)
        && held.life() > firstLives.getOrDefault(topic, Integer.MAX_VALUE)) {
      return false;
    }
    if (held.life() < world.kafka().life(topic)) {
      return rows.landedOffsets(topicPartition, held.life())
          .allMatch(offset -> offset > held.record().offset());
    }
    boolean since =
        held.life() == firstLives.getOrDefault(topic, 0)
            && held.record().offset() >= firstEnds.getOrDefault(topicPartition, Long.MAX_VALUE);
    if (since && !world.kafka().isPositionedBlindly(topicPartition)) {
      return false;
    }
    OptionalLong first = firstOffset(held);
    return first.isPresent()
        ? held.record().offset() < first.getAsLong()
        : world.operator().changedLogs(); // where it began is unknown until it is restored
  }

  /**
   * The first offset of the log in this life of the record's topic, from its newest entry of that
   * life. The last entry may be the claim of a task that was configured with another cluster.
   */
  private OptionalLong firstOffset(Held held) {
    try {
      return world.log(held.topicPartition()).after(0).stream()
          .map(each -> each.entry().state())
          .filter(state -> state.first() != LogState.UNKNOWN)
          .filter(
              state ->
                  SimulatedKafka.life(held.topicPartition(), state.generation()) == held.life())
          .mapToLong(LogState::first)
          .reduce((older, newer) -> newer);
    } catch (IOException | CorruptLogException e) {
      throw new AssertionError(e);
    }
  }
}
