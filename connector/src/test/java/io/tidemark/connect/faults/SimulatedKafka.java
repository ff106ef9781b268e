package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.TopicMetadata.GroupOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * A Kafka cluster: topics with offsets that may have gaps, and the offsets that the consumer group
 * has committed. A topic has several lives if it is deleted and created again, each with an id of
 * its own. {@link SimulatedMetadata} is what brokers say about it.
 */
final class SimulatedKafka {
  /** The topic-partitions that exist. */
  private final Map<TopicPartition, PartitionRecords> contents = new LinkedHashMap<>();

  private final Map<TopicPartition, List<Span>> spans = new LinkedHashMap<>();
  private final Map<String, Integer> lives = new HashMap<>();
  private final Set<String> silent = new HashSet<>();
  private final Set<TopicPartition> leaderless = new HashSet<>();
  private final Map<TopicPartition, Long> firstCommitted = new HashMap<>();
  private final Map<TopicPartition, GroupOffset> groupOffsets = new HashMap<>();
  private final LongSupplier nowMs;
  private final RecordHistory history;
  private final SimulatedMetadata metadata;
  private final Set<String> positionedBlindly = new HashSet<>();
  private final Set<TopicPartition> inventedEnds = new HashSet<>();
  private String cluster = "cluster";
  private Optional<FormerCluster> former = Optional.empty();
  private boolean resetToLatest;
  private int jumps;
  private int transactions;
  private int leadersLost;

  /** The cluster from which the connector has moved. Nobody writes to it any more. */
  record FormerCluster(
      String id, Map<String, TopicDescription> topics, Map<String, List<Long>> ends) {}

  /** The time in which a topic-partition existed. */
  private record Span(long fromMs, long toMs) {
    boolean has(long timeMs) {
      return fromMs <= timeMs && timeMs < toMs;
    }
  }

  SimulatedKafka(LongSupplier nowMs) {
    this.nowMs = nowMs;
    history = new RecordHistory(nowMs);
    metadata = new SimulatedMetadata(this, nowMs);
  }

  /** The records that it had at each time. */
  RecordHistory history() {
    return history;
  }

  SimulatedMetadata metadata() {
    return metadata;
  }

  // ---- clusters

  /** The id of the cluster that the worker's consumers use. */
  String cluster() {
    return cluster;
  }

  /** The cluster that they have used before, if there was another one. */
  Optional<FormerCluster> former() {
    return former;
  }

  /**
   * The worker's consumers use another cluster from now on. It has topics of the same names, with
   * the same numbers of topic-partitions, without records.
   */
  void move() {
    Map<String, TopicDescription> topics = new LinkedHashMap<>();
    Map<String, List<Long>> ends = new HashMap<>();
    metadata.forget();
    for (String topic : everTopics()) {
      metadata.describe(topic, false).ifPresent(found -> topics.put(topic, found));
      ends.put(topic, topicPartitions(topic).stream().map(this::end).toList());
    }
    former = Optional.of(new FormerCluster(cluster, topics, ends));
    topics.keySet().forEach(this::delete);
    cluster = "moved";
    topics.forEach((topic, found) -> create(topic, found.topicPartitions()));
  }

  // ---- the lives of topics

  /** Creates a topic-partition: of a new topic, or one more of an existing topic. */
  void create(TopicPartition topicPartition) {
    String topic = topicPartition.topic();
    if (!exists(topic)) {
      lives.merge(topic, 1, Integer::sum);
    }
    contents.put(
        topicPartition,
        new PartitionRecords(topicPartition, lives.getOrDefault(topic, 0), history));
    spans
        .computeIfAbsent(topicPartition, same -> new ArrayList<>())
        .add(new Span(nowMs.getAsLong(), Long.MAX_VALUE));
    metadata.created(topic);
  }

  /** Deletes a topic, with the offsets that groups have committed in it. */
  void delete(String topic) {
    for (TopicPartition each : topicPartitions(topic)) {
      of(each).delete();
      contents.remove(each);
      leaderless.remove(each);
      groupOffsets.remove(each);
      firstCommitted.remove(each);
      spans
          .getOrDefault(each, List.of())
          .replaceAll(
              span ->
                  span.toMs() == Long.MAX_VALUE
                      ? new Span(span.fromMs(), nowMs.getAsLong())
                      : span);
    }
  }

  /** Creates a topic that does not exist. */
  void create(String topic, int topicPartitions) {
    for (int each = 0; each < topicPartitions; each++) {
      create(new TopicPartition(topic, each));
    }
  }

  boolean exists(String topic) {
    return contents.keySet().stream().anyMatch(each -> each.topic().equals(topic));
  }

  boolean exists(TopicPartition topicPartition) {
    return contents.containsKey(topicPartition);
  }

  /** The topic-partitions that exist. */
  List<TopicPartition> topicPartitions() {
    return List.copyOf(contents.keySet());
  }

  List<TopicPartition> topicPartitions(String topic) {
    return contents.keySet().stream().filter(each -> each.topic().equals(topic)).toList();
  }

  /** The topic-partitions that existed and do not exist now. */
  List<TopicPartition> gone() {
    return spans.keySet().stream().filter(each -> !exists(each)).toList();
  }

  /** All topic-partitions that exist or have existed. */
  List<TopicPartition> everTopicPartitions() {
    return List.copyOf(spans.keySet());
  }

  /** All topics that exist or have existed. */
  List<String> everTopics() {
    return spans.keySet().stream().map(TopicPartition::topic).distinct().toList();
  }

  /** The topic-partitions of a topic that existed at a time. */
  List<TopicPartition> existing(String topic, long atMs) {
    return spans.entrySet().stream()
        .filter(each -> each.getKey().topic().equals(topic))
        .filter(each -> each.getValue().stream().anyMatch(span -> span.has(atMs)))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** True if the topic existed at some time up to this one. */
  boolean hasExisted(String topic, long untilMs) {
    return spans.entrySet().stream()
        .filter(each -> each.getKey().topic().equals(topic))
        .anyMatch(each -> each.getValue().get(0).fromMs() <= untilMs);
  }

  /** True if a topic existed since a time, without an interruption. */
  boolean existsSince(String topic, long sinceMs) {
    return existing(topic, sinceMs).stream()
        .anyMatch(
            each ->
                spans.getOrDefault(each, List.of()).stream()
                    .anyMatch(span -> span.has(sinceMs) && span.toMs() == Long.MAX_VALUE));
  }

  String topicId(String topic) {
    return topic + "-" + life(topic);
  }

  /** The number of times that the topic was created. */
  int life(String topic) {
    return lives.getOrDefault(topic, 0);
  }

  /** The number of the topic's life in which a generation of a log began. */
  static int life(TopicPartition topicPartition, Generation generation) {
    return lifeOf(topicPartition.topic(), generation.topicId());
  }

  /** The number of the topic's life that has an id. */
  static int lifeOf(String topic, String topicId) {
    return Integer.parseInt(topicId.substring(topic.length() + 1));
  }

  /** True if this is the id of the topic that exists now. */
  boolean isLife(TopicPartition topicPartition, String topicId) {
    return exists(topicPartition) && topicId.equals(topicId(topicPartition.topic()));
  }

  // ---- leaders

  /** Removes the leader of a topic-partition, or restores it. */
  void lead(TopicPartition topicPartition, boolean so) {
    boolean changed =
        so
            ? leaderless.remove(topicPartition)
            : exists(topicPartition) && leaderless.add(topicPartition);
    leadersLost += changed && !so ? 1 : 0;
  }

  boolean hasLeader(TopicPartition topicPartition) {
    return !leaderless.contains(topicPartition);
  }

  /** The number of times that topic-partitions lost their leader. */
  int leadersLost() {
    return leadersLost;
  }

  /** Makes another broker the leader. It has all records. */
  void elect(TopicPartition topicPartition) {
    lead(topicPartition, true);
    of(topicPartition).elect();
  }

  /** An unclean leader election: the new leader has only the records below an offset. */
  void truncate(TopicPartition topicPartition, long end) {
    lead(topicPartition, true);
    of(topicPartition).truncate(end);
  }

  // ---- records

  /**
   * Produces a record. Without a leader, without the topic, or if its producers have stopped, there
   * is none.
   */
  void produce(TopicPartition topicPartition, long timestamp, RecordKind kind) {
    if (hasLeader(topicPartition) && !isSilent(topicPartition)) {
      of(topicPartition).produce(timestamp, kind);
    }
  }

  /** Adds offsets without a record, as an aborted transaction and its marker do. */
  void gap(TopicPartition topicPartition, int offsets) {
    if (!isSilent(topicPartition)) {
      of(topicPartition).gap(offsets);
    }
  }

  /**
   * The producers of a topic stop, until it is created again.
   *
   * @return false if one of them has an open transaction
   */
  boolean silence(String topic) {
    return topicPartitions(topic).stream().allMatch(each -> of(each).openTransaction().isEmpty())
        && silent.add(topicId(topic));
  }

  private boolean isSilent(TopicPartition topicPartition) {
    return silent.contains(topicId(topicPartition.topic()));
  }

  /**
   * Begins a transaction: no task receives records produced from now on until it ends.
   *
   * @return false if a transaction is already open
   */
  boolean beginTransaction(TopicPartition topicPartition) {
    boolean begun =
        exists(topicPartition)
            && !isSilent(topicPartition)
            && of(topicPartition).beginTransaction();
    transactions += begun ? 1 : 0;
    return begun;
  }

  /** The number of transactions that were open for a while. */
  int transactions() {
    return transactions;
  }

  /**
   * The records of a topic-partition in the present life of its topic. Changes of a topic-partition
   * that does not exist have no effect.
   */
  PartitionRecords of(TopicPartition topicPartition) {
    PartitionRecords found = contents.get(topicPartition);
    if (found == null && !spans.containsKey(topicPartition)) {
      throw new IllegalArgumentException("there was never a " + topicPartition);
    }
    return found == null
        ? new PartitionRecords(topicPartition, 0, new RecordHistory(nowMs))
        : found;
  }

  long end(TopicPartition topicPartition) {
    return of(topicPartition).end();
  }

  /** The next request for the end offset of a topic-partition is answered with 0. */
  void inventEnd(TopicPartition topicPartition) {
    inventedEnds.add(topicPartition);
  }

  /** The end offset as the leader answers it that a broker names. */
  long answeredEnd(TopicPartition topicPartition, boolean fromOutdated) {
    long answered = metadata.retained(topicPartition, fromOutdated).end();
    return inventedEnds.remove(topicPartition) ? 0 : answered;
  }

  /** The first offset that is retained. */
  long earliest(TopicPartition topicPartition) {
    return of(topicPartition).earliest();
  }

  List<SourceRecord> records(TopicPartition topicPartition) {
    return of(topicPartition).all();
  }

  /** Ends all transactions, and elects leaders where there are none. */
  void settle() {
    leaderless.clear();
    contents.values().forEach(PartitionRecords::endTransaction);
  }

  // ---- consumers

  /** From now on consumers have {@code auto.offset.reset=latest}. */
  void resetToLatest() {
    resetToLatest = true;
  }

  boolean resetsToLatest() {
    return resetToLatest;
  }

  /** The number of times that a consumer skipped records which Kafka still had. */
  int jumps() {
    return jumps;
  }

  /** The offset at which a consumer begins after the assignment of a topic-partition. */
  long groupOffset(TopicPartition topicPartition) {
    GroupOffset committed = groupOffsets.get(topicPartition);
    return committed != null
        ? committed.offset()
        : resetToLatest ? end(topicPartition) : earliest(topicPartition);
  }

  /** The offset that the group has committed. */
  Optional<GroupOffset> committed(TopicPartition topicPartition) {
    return Optional.ofNullable(groupOffsets.get(topicPartition));
  }

  /**
   * The offset at which a consumer continues, whose position may be outside of the offsets that its
   * leader retains. In a topic that does not exist it waits.
   */
  long position(TopicPartition topicPartition, PartitionRecords leader, long position) {
    if (!exists(topicPartition) || (position >= leader.earliest() && position <= leader.end())) {
      return position;
    }
    jumps += resetToLatest && leader.earliest() < leader.end() ? 1 : 0;
    return resetToLatest ? leader.end() : leader.earliest();
  }

  void commit(TopicPartition topicPartition, GroupOffset told) {
    if (exists(topicPartition)) {
      groupOffsets.put(topicPartition, told);
      firstCommitted.putIfAbsent(topicPartition, told.offset());
    }
  }

  /** An operator deletes the offsets of the group. */
  void resetGroup() {
    groupOffsets.clear();
    firstCommitted.clear();
  }

  /** The first offset that the group committed in the topic's present life. */
  OptionalLong firstCommitted(TopicPartition topicPartition) {
    Long first = firstCommitted.get(topicPartition);
    return first == null ? OptionalLong.empty() : OptionalLong.of(first);
  }

  /**
   * A task got the topic's id only after the topic was recreated, and its position before. The task
   * cannot detect that the position belongs to the former life.
   */
  void positionedBlindly(String topic) {
    positionedBlindly.add(topic);
  }

  boolean isPositionedBlindly(TopicPartition topicPartition) {
    return positionedBlindly.contains(topicPartition.topic());
  }
}
