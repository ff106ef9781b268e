package io.tidemark.connect.pipeline;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.EpochHistory;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.NoSuchTopicException;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** A topic in memory, with offsets that may have gaps, and a consumer group's committed offsets. */
public final class FakeTopic implements TopicMetadata {
  public final String name;
  private String cluster = "cluster-1";
  private String id = "topic-id-1";
  private Optional<String> outdatedId = Optional.empty();
  private Optional<String> reusedId = Optional.empty();
  private FakeTopic described = this;
  private long retainedAsked;
  private long checksBelowEnd;
  private boolean tailsRefused;
  private int partitions = Integer.MAX_VALUE;
  private final Map<Integer, Long> held = new HashMap<>();
  private RetainedOffsets deposed = new RetainedOffsets(0, 0, 0);
  private int deposedAnswers;
  private Optional<FakeTopic> formerLeader = Optional.empty();
  private boolean away;
  private Runnable beforeAnswer = () -> {};
  private final Map<Integer, TreeMap<Long, Fetched>> records = new HashMap<>();
  private final Map<Integer, Long> ends = new HashMap<>();
  private final Map<Integer, Long> earliest = new HashMap<>();
  private final Map<Integer, EpochHistory> epochs = new HashMap<>();
  public final Map<TopicPartition, Long> groupOffsets = new ConcurrentHashMap<>();
  private final Map<TopicPartition, String> groupTexts = new ConcurrentHashMap<>();

  /** A record as it is polled; a tombstone has no value. */
  record Fetched(long offset, Optional<byte[]> value) {}

  public FakeTopic(String name) {
    this.name = name;
  }

  public synchronized long produce(int partition, byte[] value) {
    return append(partition, Optional.of(value));
  }

  /** A record without a value. */
  public synchronized long tombstone(int partition) {
    return append(partition, Optional.empty());
  }

  private long append(int partition, Optional<byte[]> value) {
    long offset = ends.getOrDefault(partition, 0L);
    records
        .computeIfAbsent(partition, p -> new TreeMap<>())
        .put(offset, new Fetched(offset, value));
    ends.put(partition, offset + 1);
    return offset;
  }

  /** Adds an offset without a record, like a transaction marker. */
  public synchronized void marker(int partition) {
    ends.merge(partition, 1L, Long::sum);
  }

  public synchronized void deleteBefore(int partition, long offset) {
    earliest.put(partition, offset);
    records.getOrDefault(partition, new TreeMap<>()).headMap(offset).clear();
  }

  /**
   * Sets the topic id in the answers of brokers. A broker with stale metadata answers with a former
   * id.
   */
  synchronized void answerId(String topicId) {
    id = topicId;
  }

  /** From now on the first broker that is asked answers with this former id, if there is one. */
  synchronized void answerByOneBroker(Optional<String> formerId) {
    outdatedId = formerId;
  }

  /** The next answer on which brokers agree is an earlier one, with this id. */
  synchronized void agreeOnce(String earlierId) {
    reusedId = Optional.of(earlierId);
  }

  /** While true, Kafka answers none of the connector's requests. It still delivers records. */
  synchronized void away(boolean so) {
    away = so;
  }

  private void requireHere() throws KafkaUnavailableException {
    if (away) {
      throw new KafkaUnavailableException("Kafka did not tell in 30000 ms");
    }
  }

  /** Sets the cluster id in the answers of brokers. */
  synchronized void answerCluster(String clusterId) {
    cluster = clusterId;
  }

  /**
   * Sends requests about the topic to another cluster, which has a topic of the same name. Records
   * still come from this one.
   */
  public synchronized void describeInstead(FakeTopic other) {
    described = other;
  }

  synchronized void makeAgain(String newId) {
    makeAgain(newId, Integer.MAX_VALUE);
  }

  /**
   * Deletes the topic, and recreates it with another number of topic-partitions; 0 for no topic.
   */
  synchronized void makeAgain(String newId, int count) {
    partitions = count;
    id = newId;
    records.clear();
    ends.clear();
    earliest.clear();
    epochs.clear();
  }

  /** Makes another broker the leader. It has all records. */
  public synchronized void elect(int partition) {
    epochs(partition).elect(end(partition));
  }

  /** Makes another broker the leader. The former one does not know it, and answers so often. */
  synchronized void depose(int partition, int answers) {
    deposed = new RetainedOffsets(earliest(partition), end(partition), epochs(partition).latest());
    deposedAnswers = answers;
    elect(partition);
  }

  /**
   * Before a leader election: the present leader will not learn of it, and still answers the
   * connector's own consumers, unless they know a later epoch. It also answers some requests for
   * the first offset.
   */
  synchronized void keepFormerLeader(int partition) {
    FakeTopic former = new FakeTopic(name);
    former.records.put(partition, new TreeMap<>(records.getOrDefault(partition, new TreeMap<>())));
    former.ends.put(partition, end(partition));
    former.earliest.put(partition, earliest(partition));
    former.epochs.put(partition, epochs(partition).copy());
    formerLeader = Optional.of(former);
  }

  private FakeTopic leader(int partition, int leastEpoch) {
    return formerLeader
        .filter(former -> former.epochs(partition).latest() >= leastEpoch)
        .orElse(described);
  }

  /** An unclean leader election: the new leader lacks the last records. */
  synchronized void truncate(int partition, long end) {
    epochs(partition).elect(end);
    ends.put(partition, end);
    records.getOrDefault(partition, new TreeMap<>()).tailMap(end).clear();
  }

  /** The consumer group commits an offset, with a text. */
  synchronized void commit(TopicPartition topicPartition, GroupOffset told) {
    groupOffsets.put(topicPartition, told.offset());
    groupTexts.put(topicPartition, told.metadata());
  }

  synchronized List<Fetched> fetch(int partition, long position, int most) {
    return records
        .getOrDefault(partition, new TreeMap<>())
        .tailMap(position, true)
        .values()
        .stream()
        .filter(fetched -> fetched.offset() < held.getOrDefault(partition, Long.MAX_VALUE))
        .limit(most)
        .toList();
  }

  /** Runs something each time before the retained offsets are returned. */
  public synchronized void beforeRetainedAreTold(Runnable what) {
    beforeAnswer = what;
  }

  /** The number of requests for the retained offsets. */
  public synchronized long retainedAsked() {
    return retainedAsked;
  }

  synchronized long earliest(int partition) {
    return earliest.getOrDefault(partition, 0L);
  }

  public synchronized long end(int partition) {
    return ends.getOrDefault(partition, 0L);
  }

  @Override
  public synchronized boolean gone(TopicPartition topicPartition) throws IOException {
    requireHere();
    return topicPartition.partition() >= described.partitions;
  }

  @Override
  public synchronized TopicIdentity identity(String topic) throws IOException {
    requireHere();
    if (described.partitions == 0) {
      throw new NoSuchTopicException("there is no topic " + topic, null);
    }
    return identity();
  }

  /** The answer of {@link #identity(String)}, also while Kafka is unavailable. */
  synchronized TopicIdentity identity() {
    return new TopicIdentity(described.cluster, outdatedId.orElse(described.id));
  }

  @Override
  public synchronized TopicIdentity agreedIdentity(String topic) throws IOException {
    if (outdatedId.isPresent()) {
      throw new KafkaUnavailableException("the brokers do not agree");
    }
    Optional<String> reused = reusedId;
    reusedId = Optional.empty();
    return reused.isPresent()
        ? new TopicIdentity(described.cluster, reused.get())
        : identity(topic);
  }

  @Override
  public synchronized RetainedOffsets retainedOffsets(TopicPartition topicPartition)
      throws IOException {
    requireHere();
    if (topicPartition.partition() >= described.partitions) {
      throw new KafkaUnavailableException("there is no " + topicPartition);
    }
    described.retainedAsked++;
    beforeAnswer.run();
    if (deposedAnswers > 0) {
      deposedAnswers--;
      return deposed;
    }
    int partition = topicPartition.partition();
    return new RetainedOffsets(
        leader(partition, 0).earliest(partition),
        described.end(partition),
        described.epochs(partition).latest());
  }

  @Override
  public synchronized long earliest(TopicPartition topicPartition, int present) {
    int partition = topicPartition.partition();
    return leader(partition, present).earliest(partition);
  }

  @Override
  public synchronized long greatestEnd(TopicPartition topicPartition) throws IOException {
    return gone(topicPartition) ? 0 : described.end(topicPartition.partition());
  }

  @Override
  public synchronized Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions)
      throws IOException {
    requireHere();
    Map<TopicPartition, Long> told = new HashMap<>();
    topicPartitions.forEach(each -> told.put(each, described.end(each.partition())));
    return told;
  }

  /** The number of times that the connector checked for records below the end offset. */
  public synchronized long checksBelowEnd() {
    return checksBelowEnd;
  }

  /** Opens a transaction. No consumer receives its records yet. */
  public synchronized void hold(int partition) {
    held.put(partition, end(partition));
  }

  /** Commits the transaction with a marker. */
  public synchronized void release(int partition) {
    held.remove(partition);
    marker(partition);
  }

  /**
   * Revokes the READ permission of the connector's own client for the topic, or grants it again.
   */
  public synchronized void refuseTails(boolean so) {
    tailsRefused = so;
  }

  @Override
  public synchronized Undelivered undelivered(
      TopicPartition topicPartition, OffsetRange offsets, int present) throws IOException {
    checksBelowEnd++;
    if (tailsRefused) {
      throw new KafkaUnavailableException(topicPartition + ": Not authorized to access topics");
    }
    int partition = topicPartition.partition();
    FakeTopic leader = leader(partition, present);
    if (leader.earliest(partition) > offsets.first()) {
      return Undelivered.GONE;
    }
    return leader
            .records
            .getOrDefault(partition, new TreeMap<>())
            .subMap(offsets.first(), offsets.next())
            .isEmpty()
        ? Undelivered.EMPTY
        : Undelivered.HAS_RECORDS;
  }

  @Override
  public synchronized OptionalLong truncatedAt(
      TopicPartition topicPartition, long next, int leaderEpoch, int present) {
    int partition = topicPartition.partition();
    FakeTopic leader = leader(partition, Math.max(present, leaderEpoch));
    return leader.epochs(partition).truncatedAt(next, leaderEpoch, leader.end(partition));
  }

  private EpochHistory epochs(int partition) {
    return epochs.computeIfAbsent(partition, p -> new EpochHistory());
  }

  @Override
  public synchronized Optional<GroupOffset> groupOffset(TopicPartition topicPartition)
      throws IOException {
    requireHere();
    return Optional.ofNullable(described.groupOffsets.get(topicPartition))
        .map(
            offset ->
                new GroupOffset(offset, described.groupTexts.getOrDefault(topicPartition, "")));
  }

  @Override
  public void close() {}
}
