package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.EpochHistory;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.commit.TopicMetadata.GroupOffset;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A Kafka cluster: topics with offsets that may have gaps, and the offsets that the consumer group
 * has committed.
 */
final class SimulatedKafka {
  private final Map<TopicPartition, Contents> contents = new LinkedHashMap<>();
  private final Map<String, Integer> lives = new HashMap<>();
  private final Set<String> stale = new HashSet<>();
  private int answers;
  private int staleAnswers;

  /** By topic, the number of topic-partitions in outdated metadata; 0 if it lacks the topic. */
  private final Map<String, Integer> outdated = new HashMap<>();

  private long lookups;
  private int outdatedAnswers;

  /** The topics that the connector's own client may not describe. */
  private final Set<String> hidden = new HashSet<>();

  private final Map<String, Long> visibleSinceMs = new HashMap<>();
  private final Map<TopicPartition, Long> createdMs = new HashMap<>();
  private final LongSupplier nowMs;
  private final Set<String> positionedBlindly = new HashSet<>();
  private boolean resetToLatest;
  private int jumps;
  private int transactions;
  private final Set<String> vanished = new HashSet<>();
  private final Set<String> everVanished = new HashSet<>();
  private boolean otherIsEmpty;
  private final Set<TopicPartition> leaderless = new HashSet<>();
  private int leadersLost;
  private final Map<TopicPartition, Long> firstCommitted = new HashMap<>();
  private final Map<TopicPartition, GroupOffset> groupOffsets = new HashMap<>();
  private final RecordHistory history;

  SimulatedKafka(LongSupplier nowMs) {
    this.nowMs = nowMs;
    history = new RecordHistory(nowMs);
  }

  /** The records that it had at each time. */
  RecordHistory history() {
    return history;
  }

  private static final class Contents {
    final TreeMap<Long, SourceRecord> records = new TreeMap<>();
    final List<SourceRecord> retainedAway = new ArrayList<>();
    EpochHistory epochs = new EpochHistory();
    int truncations;
    long earliest;
    long end;

    /** The first offset of the open transaction. */
    OptionalLong open = OptionalLong.empty();

    int compacted;

    /** One past the last offset that a consumer of committed records receives. */
    long stableEnd() {
      return Math.min(end, open.orElse(end));
    }
  }

  void create(TopicPartition topicPartition) {
    contents.put(topicPartition, new Contents());
    lives.putIfAbsent(topicPartition.topic(), 1);
    createdMs.put(topicPartition, nowMs.getAsLong());
    visibleSinceMs.putIfAbsent(topicPartition.topic(), nowMs.getAsLong());
  }

  /** The topic-partitions that existed at a time. */
  List<TopicPartition> existing(long atMs) {
    return topicPartitions().stream()
        .filter(each -> createdMs.getOrDefault(each, Long.MAX_VALUE) <= atMs)
        .toList();
  }

  /** Lets the connector's own client describe a topic, or not. */
  void hide(String topic, boolean so) {
    boolean changed = so ? hidden.add(topic) : hidden.remove(topic);
    if (changed) {
      visibleSinceMs.put(topic, so ? Long.MAX_VALUE : nowMs.getAsLong());
    }
  }

  boolean isHidden(String topic) {
    return hidden.contains(topic);
  }

  /** True if the connector's own client may describe a topic at all times since then. */
  boolean isVisibleSince(String topic, long sinceMs) {
    return visibleSinceMs.getOrDefault(topic, Long.MAX_VALUE) <= sinceMs;
  }

  /** From now on the metadata of some brokers has only the first topic-partitions of a topic. */
  void outdate(String topic, int topicPartitions) {
    outdated.putIfAbsent(topic, topicPartitions);
  }

  /** All brokers have the present metadata of a topic. */
  void update(String topic) {
    outdated.remove(topic);
  }

  /** Ends what concerns metadata: all brokers have all topics, and show them. */
  void settleMetadata() {
    outdated.clear();
    List.copyOf(hidden).forEach(topic -> hide(topic, false));
  }

  /** Decides whether a client asks a broker whose metadata is outdated. */
  boolean asksOutdatedBroker() {
    return lookups++ * 0x9E3779B97F4A7C15L < 0;
  }

  /** A broker's description of a topic; empty if its metadata lacks the topic. */
  Optional<TopicDescription> describe(String topic, boolean fromOutdated) {
    if (!exists(topic)) {
      return Optional.empty();
    }
    int all = (int) contents.keySet().stream().filter(each -> each.topic().equals(topic)).count();
    int count = fromOutdated ? outdated.getOrDefault(topic, all) : all;
    outdatedAnswers += count < all ? 1 : 0;
    String id = fromOutdated && stale.contains(topic) ? formerTopicId(topic) : topicId(topic);
    return count == 0 ? Optional.empty() : Optional.of(new TopicDescription(id, count));
  }

  /** The number of answers from outdated metadata. */
  int outdatedAnswers() {
    return outdatedAnswers;
  }

  List<TopicPartition> topicPartitions() {
    return List.copyOf(contents.keySet());
  }

  /** Removes the leader of a topic-partition, or restores it. */
  void lead(TopicPartition topicPartition, boolean so) {
    boolean changed = so ? leaderless.remove(topicPartition) : leaderless.add(topicPartition);
    leadersLost += changed && !so ? 1 : 0;
  }

  boolean hasLeader(TopicPartition topicPartition) {
    return !leaderless.contains(topicPartition);
  }

  /** The number of times that topic-partitions lost their leader. */
  int leadersLost() {
    return leadersLost;
  }

  private void requireLeader(TopicPartition topicPartition) throws IOException {
    requireTopic(topicPartition.topic());
    if (!hasLeader(topicPartition)) {
      throw new IOException(topicPartition + " has no leader");
    }
  }

  /** Deletes a topic, until {@link #makeAgain} creates it again. */
  void vanish(String topic) {
    if (vanished.add(topic)) {
      everVanished.add(topic);
      clear(topic);
    }
  }

  /** True if the topic did not exist for a while. */
  boolean hasVanished(String topic) {
    return everVanished.contains(topic);
  }

  boolean exists(String topic) {
    return !vanished.contains(topic);
  }

  private void requireTopic(String topic) throws IOException {
    if (!exists(topic)) {
      throw new IOException("there is no topic " + topic);
    }
  }

  /** From now on the other cluster has the same topics without any record. */
  void otherIsEmpty() {
    otherIsEmpty = true;
  }

  /** The end offset of each topic-partition of the other cluster. */
  long otherEnd() {
    return otherIsEmpty ? 0 : 1_000;
  }

  /** The identity of a topic of the other cluster. */
  static TopicIdentity otherIdentity(String topic) {
    return new TopicIdentity("other", topic + "-0");
  }

  /** Produces a record. Without a leader the record is discarded. */
  void produce(TopicPartition topicPartition, long timestamp, RecordKind kind) {
    if (!hasLeader(topicPartition) || !exists(topicPartition.topic())) {
      return;
    }
    Contents to = of(topicPartition);
    SourceRecord record =
        SourceRecord.of(
            topicPartition, life(topicPartition), to.end, to.truncations, timestamp, kind);
    to.records.put(to.end++, record);
    history.produced(topicPartition, life(topicPartition), record);
  }

  /** Adds offsets without a record, as an aborted transaction and its marker do. */
  void gap(TopicPartition topicPartition, int offsets) {
    of(topicPartition).end += exists(topicPartition.topic()) ? offsets : 0;
  }

  /**
   * Begins a transaction: no task receives records produced from now on until it ends.
   *
   * @return false if a transaction is already open
   */
  boolean beginTransaction(TopicPartition topicPartition) {
    Contents of = of(topicPartition);
    if (of.open.isPresent() || !exists(topicPartition.topic())) {
      return false;
    }
    of.open = OptionalLong.of(of.end);
    transactions++;
    return true;
  }

  /** Ends the transaction with a marker. */
  void endTransaction(TopicPartition topicPartition) {
    Contents of = of(topicPartition);
    if (of.open.isPresent()) {
      of.open = OptionalLong.empty();
      of.end++;
    }
  }

  /** The first offset of the open transaction, if there is one. */
  OptionalLong openTransaction(TopicPartition topicPartition) {
    return of(topicPartition).open;
  }

  /** The number of transactions that were open for a while. */
  int transactions() {
    return transactions;
  }

  /** Removes some records for which later records have the same key, as compaction does. */
  void compact(TopicPartition topicPartition, long seed) {
    Contents of = of(topicPartition);
    Random random = new Random(seed);
    for (long offset : List.copyOf(of.records.headMap(of.stableEnd()).keySet())) {
      if (random.nextInt(4) == 0) {
        SourceRecord compacted = of.records.remove(offset);
        of.retainedAway.add(compacted);
        history.gone(List.of(compacted), RecordHistory.Fate.COMPACTED);
        of.compacted++;
      }
    }
  }

  /** The number of records that were compacted. */
  int compacted(TopicPartition topicPartition) {
    return of(topicPartition).compacted;
  }

  /** Makes another broker the leader. It has all records. */
  void elect(TopicPartition topicPartition) {
    lead(topicPartition, true);
    of(topicPartition).epochs.elect(end(topicPartition));
  }

  /** The number of leader elections in the topic's present life. */
  int elections(TopicPartition topicPartition) {
    return of(topicPartition).epochs.latest();
  }

  /** An unclean leader election: the new leader has only the records below an offset. */
  void truncate(TopicPartition topicPartition, long end) {
    lead(topicPartition, true);
    Contents of = of(topicPartition);
    history.gone(of.records.tailMap(end).values(), RecordHistory.Fate.TRUNCATED);
    history.takenBack(topicPartition, life(topicPartition), end, of.end);
    of.records.tailMap(end).clear();
    of.end = end;
    if (of.open.orElse(0) > end) {
      of.open = OptionalLong.of(end);
    }
    of.epochs.elect(end);
    of.truncations++;
  }

  boolean answersFormerLife(String topic) {
    return stale.contains(topic);
  }

  /** The number of answers to tasks that named a topic's former life. */
  int staleAnswers() {
    return staleAnswers;
  }

  /** From now on half of the brokers' answers about a topic are of its former life, or none are. */
  void answerFormerLife(String topic, boolean so) {
    if (so && lives.getOrDefault(topic, 0) > 1) {
      stale.add(topic);
    } else {
      stale.remove(topic);
    }
  }

  /** Deletes the records below an offset, landed or not. */
  void retain(TopicPartition topicPartition, long earliest) {
    Contents from = of(topicPartition);
    from.earliest = Math.max(from.earliest, Math.min(earliest, from.end));
    Map<Long, SourceRecord> gone = from.records.headMap(from.earliest);
    from.retainedAway.addAll(gone.values());
    history.gone(gone.values(), RecordHistory.Fate.RETAINED_AWAY);
    gone.clear();
  }

  /** Deletes and recreates a topic. */
  void makeAgain(String topic) {
    lives.merge(topic, 1, Integer::sum);
    vanished.remove(topic);
    clear(topic);
  }

  private void clear(String topic) {
    leaderless.removeIf(topicPartition -> topicPartition.topic().equals(topic));
    contents.forEach(
        (topicPartition, records) -> {
          if (topicPartition.topic().equals(topic)) {
            history.gone(records.records.values(), RecordHistory.Fate.DELETED);
            records.records.clear();
            records.retainedAway.clear();
            records.epochs = new EpochHistory();
            records.earliest = 0;
            records.end = 0;
            records.open = OptionalLong.empty();
            records.compacted = 0;
          }
        });
    // Brokers delete a group's committed offsets of a topic when the topic is deleted.
    groupOffsets.keySet().removeIf(topicPartition -> topicPartition.topic().equals(topic));
    firstCommitted.keySet().removeIf(topicPartition -> topicPartition.topic().equals(topic));
  }

  /** True if this is the present id of the topic. */
  boolean isLife(TopicPartition topicPartition, String topicId) {
    return topicId.equals(topicId(topicPartition.topic()));
  }

  String topicId(String topic) {
    return topic + "-" + lives.getOrDefault(topic, 0);
  }

  /** The id of the topic's former life. */
  String formerTopicId(String topic) {
    return topic + "-" + (lives.getOrDefault(topic, 0) - 1);
  }

  /** The number of times that the topic was created. */
  int life(TopicPartition topicPartition) {
    return lives.getOrDefault(topicPartition.topic(), 0);
  }

  /** The number of the topic's life in which a generation of a log began. */
  int life(TopicPartition topicPartition, Generation generation) {
    return lifeOf(topicPartition.topic(), generation.topicId());
  }

  /** The number of the topic's life that has an id. */
  static int lifeOf(String topic, String topicId) {
    return Integer.parseInt(topicId.substring(topic.length() + 1));
  }

  /** The number of offsets from a log's first offset to its next one that never had a record. */
  long gaps(TopicPartition topicPartition, LogState state) {
    Contents of = of(topicPartition);
    Set<Long> records = new HashSet<>(of.records.keySet());
    of.retainedAway.forEach(record -> records.add(record.offset()));
    return LongStream.range(state.first(), state.next())
        .filter(offset -> !records.contains(offset))
        .count();
  }

  List<SourceRecord> fetch(TopicPartition topicPartition, long position, int most) {
    List<SourceRecord> fetched = new ArrayList<>();
    if (!hasLeader(topicPartition)) {
      return fetched;
    }
    Contents of = of(topicPartition);
    for (SourceRecord next : of.records.tailMap(position, true).values()) {
      if (fetched.size() == most || next.offset() >= of.stableEnd()) {
        break;
      }
      fetched.add(next);
    }
    return fetched;
  }

  long end(TopicPartition topicPartition) {
    return of(topicPartition).end;
  }

  List<SourceRecord> records(TopicPartition topicPartition) {
    return List.copyOf(of(topicPartition).records.values());
  }

  /** The records of the topic's present life that retention has deleted. */
  List<SourceRecord> retainedAway(TopicPartition topicPartition) {
    return List.copyOf(of(topicPartition).retainedAway);
  }

  /** The first offset that is retained. */
  long earliest(TopicPartition topicPartition) {
    return of(topicPartition).earliest;
  }

  /** Ends all transactions, and elects leaders where there are none. */
  void settle() {
    leaderless.clear();
    contents.keySet().forEach(this::endTransaction);
  }

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

  /**
   * The offset at which a consumer continues, whose position may be outside of the retained
   * offsets.
   */
  long position(TopicPartition topicPartition, long position) {
    if (position >= earliest(topicPartition) && position <= end(topicPartition)) {
      return position;
    }
    jumps += resetToLatest && earliest(topicPartition) < end(topicPartition) ? 1 : 0;
    return resetToLatest ? end(topicPartition) : earliest(topicPartition);
  }

  void commit(TopicPartition topicPartition, GroupOffset told) {
    groupOffsets.put(topicPartition, told);
    firstCommitted.putIfAbsent(topicPartition, told.offset());
  }

  /** The first offset that the group committed in the topic's present life. */
  OptionalLong firstCommitted(TopicPartition topicPartition) {
    Long first = firstCommitted.get(topicPartition);
    return first == null ? OptionalLong.empty() : OptionalLong.of(first);
  }

  /** The cluster as a process sees it. */
  Directory directory(CallGate gate) {
    return new Directory(gate);
  }

  /**
   * True if a task got the topic's id only after the topic was recreated, and its position before.
   * The task cannot detect that the position belongs to the former life.
   */
  boolean positionedBlindly(TopicPartition topicPartition) {
    return positionedBlindly.contains(topicPartition.topic());
  }

  /** Another cluster, with topics of the same names, as a process sees it. */
  TopicMetadata otherCluster(CallGate gate) {
    return new OtherCluster(gate, otherEnd());
  }

  private Contents of(TopicPartition topicPartition) {
    Contents found = contents.get(topicPartition);
    if (found == null) {
      throw new IllegalArgumentException("there is no " + topicPartition);
    }
    return found;
  }

  /** The cluster as one process sees it. */
  final class Directory implements TopicMetadata {
    private final CallGate gate;

    private void requireVisible(String topic) throws IOException {
      if (isHidden(topic)) {
        throw new IOException("the client may not describe " + topic);
      }
    }

    /**
     * The life of each topic in which the consumer got its position, until the task learns an id.
     */
    private final Map<String, Integer> positionedIn = new HashMap<>();

    Directory(CallGate gate) {
      this.gate = gate;
    }

    /** The consumer of the process gets its position in a topic. */
    void positioned(String topic) {
      positionedIn.put(topic, lives.getOrDefault(topic, 0));
    }

    @Override
    public TopicIdentity identity(String topic) throws IOException {
      return gate.ask(
          "kafka identity " + topic,
          () -> {
            requireVisible(topic);
            requireTopic(topic);
            int life = lives.getOrDefault(topic, 0);
            boolean former = stale.contains(topic) && answers++ % 2 == 0;
            staleAnswers += former ? 1 : 0;
            Integer positioned = positionedIn.remove(topic);
            if (positioned != null && positioned < (former ? life - 1 : life)) {
              positionedBlindly.add(topic);
            }
            return new TopicIdentity("cluster", topic + "-" + (former ? life - 1 : life));
          });
    }

    @Override
    public TopicIdentity agreedIdentity(String topic) throws IOException {
      return gate.ask(
          "kafka agreedIdentity " + topic,
          () -> {
            requireVisible(topic);
            requireTopic(topic);
            if (stale.contains(topic) || outdated.getOrDefault(topic, 1) == 0) {
              throw new IOException("the brokers do not agree on " + topic);
            }
            return new TopicIdentity("cluster", topicId(topic));
          });
    }

    @Override
    public boolean gone(TopicPartition topicPartition) throws IOException {
      return gate.ask("kafka gone " + topicPartition, () -> false);
    }

    @Override
    public RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException {
      return gate.ask(
          "kafka retainedOffsets " + topicPartition,
          () -> {
            requireVisible(topicPartition.topic());
            requireLeader(topicPartition);
            return new RetainedOffsets(
                earliest(topicPartition), end(topicPartition), of(topicPartition).epochs.latest());
          });
    }

    @Override
    public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException {
      return gate.ask(
          "kafka ends",
          () -> {
            Map<TopicPartition, Long> ends = new LinkedHashMap<>();
            for (TopicPartition each : topicPartitions) {
              requireVisible(each.topic());
              requireLeader(each);
              ends.put(each, end(each));
            }
            return ends;
          });
    }

    /**
     * The tail as a consumer of the connector's own client sees it: this consumer receives
     * uncommitted records, too.
     */
    @Override
    public Undelivered undelivered(TopicPartition topicPartition, OffsetRange offsets)
        throws IOException {
      return gate.ask(
          "kafka tail " + topicPartition,
          () -> {
            requireLeader(topicPartition);
            if (earliest(topicPartition) > offsets.first()) {
              return Undelivered.GONE;
            }
            return of(topicPartition).records.subMap(offsets.first(), offsets.next()).isEmpty()
                ? Undelivered.EMPTY
                : Undelivered.HAS_RECORDS;
          });
    }

    @Override
    public OptionalLong truncatedAt(TopicPartition topicPartition, long next, int leaderEpoch)
        throws IOException {
      return gate.ask(
          "kafka truncatedAt " + topicPartition,
          () -> {
            requireLeader(topicPartition);
            return of(topicPartition).epochs.truncatedAt(next, leaderEpoch, end(topicPartition));
          });
    }

    @Override
    public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException {
      return gate.ask(
          "kafka groupOffset " + topicPartition,
          () -> Optional.ofNullable(groupOffsets.get(topicPartition)));
    }

    @Override
    public void close() {}
  }

  /**
   * A cluster with topics that contain more records and begin at later offsets, or contain none. No
   * group has ever consumed them.
   */
  private record OtherCluster(CallGate gate, long end) implements TopicMetadata {

    @Override
    public TopicIdentity identity(String topic) throws IOException {
      return gate.ask("kafka identity " + topic, () -> otherIdentity(topic));
    }

    @Override
    public TopicIdentity agreedIdentity(String topic) throws IOException {
      return identity(topic);
    }

    @Override
    public boolean gone(TopicPartition topicPartition) throws IOException {
      return gate.ask("kafka gone " + topicPartition, () -> false);
    }

    @Override
    public RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException {
      return gate.ask(
          "kafka retainedOffsets " + topicPartition,
          () -> new RetainedOffsets(Math.min(20, end), end, 0));
    }

    @Override
    public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException {
      return gate.ask(
          "kafka ends",
          () -> topicPartitions.stream().collect(Collectors.toMap(each -> each, each -> end)));
    }

    @Override
    public Undelivered undelivered(TopicPartition topicPartition, OffsetRange offsets)
        throws IOException {
      return gate.ask("kafka tail " + topicPartition, () -> Undelivered.EMPTY);
    }

    @Override
    public OptionalLong truncatedAt(TopicPartition topicPartition, long next, int leaderEpoch)
        throws IOException {
      return gate.ask("kafka truncatedAt " + topicPartition, OptionalLong::empty);
    }

    @Override
    public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException {
      return gate.ask("kafka groupOffset " + topicPartition, Optional::empty);
    }

    @Override
    public void close() {}
  }
}
