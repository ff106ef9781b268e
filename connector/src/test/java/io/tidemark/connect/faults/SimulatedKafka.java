package io.tidemark.connect.faults;

import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.commit.EpochHistory;
import io.tidemark.connect.commit.TopicMetadata;
import io.tidemark.connect.commit.TopicMetadata.GroupOffset;
import io.tidemark.connect.commit.entry.Generation;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.commit.entry.TopicIdentity;
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
import org.apache.kafka.common.TopicPartition;

/** Topics with offsets that may have gaps, and what the consumer group has committed. */
final class SimulatedKafka {
  private final Map<TopicPartition, Contents> contents = new LinkedHashMap<>();
  private final Map<String, Integer> lives = new HashMap<>();
  private final Set<String> stale = new HashSet<>();
  private int answers;
  private int staleAnswers;
  private final Set<String> positionedBlindly = new HashSet<>();
  private boolean resetToLatest;
  private int jumps;
  private int transactions;
  private final Set<TopicPartition> leaderless = new HashSet<>();
  private int leadersLost;
  private final Map<TopicPartition, Long> firstCommitted = new HashMap<>();
  private final Map<TopicPartition, GroupOffset> groupOffsets = new HashMap<>();
  private final RecordHistory history;

  SimulatedKafka(LongSupplier nowMs) {
    history = new RecordHistory(nowMs);
  }

  /** What it held when. */
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

    /** One past the last offset that a consumer of committed records is given. */
    long stableEnd() {
      return Math.min(end, open.orElse(end));
    }
  }

  void create(TopicPartition topicPartition) {
    contents.put(topicPartition, new Contents());
    lives.putIfAbsent(topicPartition.topic(), 1);
  }

  List<TopicPartition> topicPartitions() {
    return List.copyOf(contents.keySet());
  }

  /** A topic-partition has no leader from now on, or has one again. */
  void lead(TopicPartition topicPartition, boolean so) {
    boolean changed = so ? leaderless.remove(topicPartition) : leaderless.add(topicPartition);
    leadersLost += changed && !so ? 1 : 0;
  }

  boolean hasLeader(TopicPartition topicPartition) {
    return !leaderless.contains(topicPartition);
  }

  /** How often a topic-partition lost its leader. */
  int leadersLost() {
    return leadersLost;
  }

  private void requireLeader(TopicPartition topicPartition) throws IOException {
    if (!hasLeader(topicPartition)) {
      throw new IOException(topicPartition + " has no leader");
    }
  }

  /** Without a leader the producer's record is not taken. */
  void produce(TopicPartition topicPartition, long timestamp, RecordKind kind) {
    if (!hasLeader(topicPartition)) {
      return;
    }
    Contents to = of(topicPartition);
    SourceRecord record =
        SourceRecord.of(
            topicPartition, life(topicPartition), to.end, to.truncations, timestamp, kind);
    to.records.put(to.end++, record);
    history.produced(topicPartition, life(topicPartition), record);
  }

  /** Offsets without a record, as an aborted transaction and its marker have them. */
  void gap(TopicPartition topicPartition, int offsets) {
    of(topicPartition).end += offsets;
  }

  /**
   * A transaction begins: what is produced from now on is given to no task before it ends.
   *
   * @return false where one is open already
   */
  boolean beginTransaction(TopicPartition topicPartition) {
    Contents of = of(topicPartition);
    if (of.open.isPresent()) {
      return false;
    }
    of.open = OptionalLong.of(of.end);
    transactions++;
    return true;
  }

  /** The transaction ends, with a marker. */
  void endTransaction(TopicPartition topicPartition) {
    Contents of = of(topicPartition);
    if (of.open.isPresent()) {
      of.open = OptionalLong.empty();
      of.end++;
    }
  }

  /** The first offset of the open transaction, where there is one. */
  OptionalLong openTransaction(TopicPartition topicPartition) {
    return of(topicPartition).open;
  }

  /** How many transactions were open for a while. */
  int transactions() {
    return transactions;
  }

  /** Removes some records whose keys had later ones. */
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

  /** How many records were compacted away. */
  int compacted(TopicPartition topicPartition) {
    return of(topicPartition).compacted;
  }

  /** Another broker leads from now on, which has all records. */
  void elect(TopicPartition topicPartition) {
    lead(topicPartition, true);
    of(topicPartition).epochs.elect(end(topicPartition));
  }

  /** How often another broker came to lead in the topic's present life. */
  int elections(TopicPartition topicPartition) {
    return of(topicPartition).epochs.latest();
  }

  /** An unclean election: the new leader does not have the records from an offset on. */
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

  /** How often a task was told of a topic's former life. */
  int staleAnswers() {
    return staleAnswers;
  }

  /** Half of the brokers' answers about a topic are those of its former life, or none are. */
  void answerFormerLife(String topic, boolean so) {
    if (so && lives.getOrDefault(topic, 0) > 1) {
      stale.add(topic);
    } else {
      stale.remove(topic);
    }
  }

  /** Lets the records before an offset go, landed or not. */
  void retain(TopicPartition topicPartition, long earliest) {
    Contents from = of(topicPartition);
    from.earliest = Math.max(from.earliest, Math.min(earliest, from.end));
    Map<Long, SourceRecord> gone = from.records.headMap(from.earliest);
    from.retainedAway.addAll(gone.values());
    history.gone(gone.values(), RecordHistory.Fate.RETAINED_AWAY);
    gone.clear();
  }

  /** Deletes a topic and makes it again. */
  void makeAgain(String topic) {
    leaderless.removeIf(topicPartition -> topicPartition.topic().equals(topic));
    lives.merge(topic, 1, Integer::sum);
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
    // Its brokers forget what groups have committed of a topic that is deleted.
    groupOffsets.keySet().removeIf(topicPartition -> topicPartition.topic().equals(topic));
    firstCommitted.keySet().removeIf(topicPartition -> topicPartition.topic().equals(topic));
  }

  /** Whether an id is the one that the topic has now. */
  boolean isLife(TopicPartition topicPartition, String topicId) {
    return topicId.equals(topicId(topicPartition.topic()));
  }

  String topicId(String topic) {
    return topic + "-" + lives.getOrDefault(topic, 0);
  }

  /** The id of the topic before this one. */
  String formerTopicId(String topic) {
    return topic + "-" + (lives.getOrDefault(topic, 0) - 1);
  }

  /** How often the topic was made. */
  int life(TopicPartition topicPartition) {
    return lives.getOrDefault(topicPartition.topic(), 0);
  }

  /** In which of the topic's lives a generation of a log began. */
  int life(TopicPartition topicPartition, Generation generation) {
    return lifeOf(topicPartition.topic(), generation.topicId());
  }

  /** The topic's life that has an id. */
  static int lifeOf(String topic, String topicId) {
    return Integer.parseInt(topicId.substring(topic.length() + 1));
  }

  /** The offsets from a log's first up to its next that never had a record. */
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

  /** The records of the topic's present life that are no longer retained. */
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

  /** Consumers have {@code auto.offset.reset=latest} from now on. */
  void resetToLatest() {
    resetToLatest = true;
  }

  boolean resetsToLatest() {
    return resetToLatest;
  }

  /** How often a consumer jumped over records that were retained. */
  int jumps() {
    return jumps;
  }

  /** Where a consumer begins that has been given a topic-partition. */
  long groupOffset(TopicPartition topicPartition) {
    GroupOffset committed = groupOffsets.get(topicPartition);
    return committed != null
        ? committed.offset()
        : resetToLatest ? end(topicPartition) : earliest(topicPartition);
  }

  /** Where a consumer goes on from a position, which may be outside of what is retained. */
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

  /** What the group committed first in the topic's present life. */
  OptionalLong firstCommitted(TopicPartition topicPartition) {
    Long first = firstCommitted.get(topicPartition);
    return first == null ? OptionalLong.empty() : OptionalLong.of(first);
  }

  /** What a process sees of it. */
  Directory directory(CallGate gate) {
    return new Directory(gate);
  }

  /**
   * Whether a task was given a position in a topic-partition, and was told the topic's id only when
   * the topic had been made again: nothing shows it that the position is of the life before.
   */
  boolean positionedBlindly(TopicPartition topicPartition) {
    return positionedBlindly.contains(topicPartition.topic());
  }

  /** What a process sees of another cluster, which has topics of the same names. */
  TopicMetadata otherCluster(CallGate gate) {
    return new OtherCluster(gate);
  }

  private Contents of(TopicPartition topicPartition) {
    Contents found = contents.get(topicPartition);
    if (found == null) {
      throw new IllegalArgumentException("there is no " + topicPartition);
    }
    return found;
  }

  /** What one process sees. */
  final class Directory implements TopicMetadata {
    private final CallGate gate;

    /** In which life of a topic the consumer found its position, until an id is told. */
    private final Map<String, Integer> positionedIn = new HashMap<>();

    Directory(CallGate gate) {
      this.gate = gate;
    }

    /** The consumer of the process finds its position in a topic. */
    void positioned(String topic) {
      positionedIn.put(topic, lives.getOrDefault(topic, 0));
    }

    @Override
    public TopicIdentity identity(String topic) throws IOException {
      return gate.ask(
          "kafka identity " + topic,
          () -> {
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
            if (stale.contains(topic)) {
              throw new IOException("the brokers do not agree on " + topic);
            }
            return new TopicIdentity("cluster", topicId(topic));
          });
    }

    @Override
    public RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException {
      return gate.ask(
          "kafka retainedOffsets " + topicPartition,
          () -> {
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
              requireLeader(each);
              ends.put(each, end(each));
            }
            return ends;
          });
    }

    /** As a consumer of our own sees it, which is given uncommitted records, too. */
    @Override
    public Tail tail(TopicPartition topicPartition, OffsetRange offsets) throws IOException {
      return gate.ask(
          "kafka tail " + topicPartition,
          () -> {
            requireLeader(topicPartition);
            if (earliest(topicPartition) > offsets.first()) {
              return Tail.GONE;
            }
            return of(topicPartition).records.subMap(offsets.first(), offsets.next()).isEmpty()
                ? Tail.EMPTY
                : Tail.HAS_RECORDS;
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

  /** Its topics hold more, and begin later. No group has ever consumed them. */
  private record OtherCluster(CallGate gate) implements TopicMetadata {

    @Override
    public TopicIdentity identity(String topic) throws IOException {
      return gate.ask("kafka identity " + topic, () -> new TopicIdentity("other", topic + "-0"));
    }

    @Override
    public TopicIdentity agreedIdentity(String topic) throws IOException {
      return identity(topic);
    }

    @Override
    public RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException {
      return gate.ask(
          "kafka retainedOffsets " + topicPartition, () -> new RetainedOffsets(20, 1_000, 0));
    }

    @Override
    public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException {
      return gate.ask(
          "kafka ends",
          () -> topicPartitions.stream().collect(Collectors.toMap(each -> each, each -> 1_000L)));
    }

    @Override
    public Tail tail(TopicPartition topicPartition, OffsetRange offsets) throws IOException {
      return gate.ask("kafka tail " + topicPartition, () -> Tail.EMPTY);
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
