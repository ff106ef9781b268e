package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * What clients can know about the topics of a {@link SimulatedKafka}. Some brokers learn changes
 * late, also that they are no longer leaders. Consumers find new topic-partitions late, and the
 * connector's own client may not describe or read every topic.
 */
final class SimulatedMetadata {
  /** A consumer stays with a deposed leader in seven of eight fetches. */
  private static final long STAYS = Long.MAX_VALUE / 8 * 7;

  private final SimulatedKafka kafka;
  private final LongSupplier nowMs;

  /** By topic, the former description that some brokers still have; empty if they have none. */
  private final Map<String, Optional<TopicDescription>> outdated = new HashMap<>();

  /** The topics that the connector's own client may not describe. */
  private final Set<String> hidden = new HashSet<>();

  /** The topics that the connector's own client may describe, but not read. */
  private final Set<String> unreadable = new HashSet<>();

  /** What deposed leaders answer, which brokers with outdated metadata still name as leaders. */
  private final Map<TopicPartition, Deposed> deposed = new HashMap<>();

  private final Map<String, Long> visibleSinceMs = new HashMap<>();
  private final Set<TopicPartition> unfound = new HashSet<>();
  private long lookups;
  private long agreements;
  private long offsetRequests;
  private long firstRequests;
  private long fetches;
  private int outdatedAnswers;
  private int formerAnswers;
  private int deposedAnswers;
  private int singleDissents;

  /** What a leader had when it was deposed. */
  private record Deposed(String topicId, PartitionRecords records) {}

  SimulatedMetadata(SimulatedKafka kafka, LongSupplier nowMs) {
    this.kafka = kafka;
    this.nowMs = nowMs;
  }

  void created(String topic) {
    visibleSinceMs.putIfAbsent(topic, nowMs.getAsLong());
  }

  /** Some brokers do not learn the next changes of a topic. */
  void outdate(String topic) {
    outdated.putIfAbsent(topic, present(topic));
  }

  /** All brokers have the present metadata of a topic. */
  void update(String topic) {
    outdated.remove(topic);
    deposed.keySet().removeIf(each -> each.topic().equals(topic));
  }

  /**
   * A leader is deposed and does not learn it: it still answers with what it has now. Nor do some
   * other brokers, which name it as the leader.
   */
  void depose(TopicPartition topicPartition) {
    outdate(topicPartition.topic());
    deposed.putIfAbsent(
        topicPartition,
        new Deposed(kafka.topicId(topicPartition.topic()), kafka.of(topicPartition).copy()));
  }

  /**
   * The leader from which a task's consumer fetches. A deposed one has only what it had, until the
   * consumer learns of the election or seeks beyond its end. It is not one whose records were
   * truncated since: a task cannot detect that the consumer still reads them.
   *
   * @param known the latest leader epoch that the consumer knows
   */
  PartitionRecords fetchedFrom(TopicPartition topicPartition, int known, long position) {
    PartitionRecords now = kafka.of(topicPartition);
    Deposed former = deposed.get(topicPartition);
    boolean stays =
        former != null
            && kafka.isLife(topicPartition, former.topicId())
            && former.records().elections() >= known
            && former.records().truncations() == now.truncations()
            && former.records().end() >= position
            && ((fetches++ * 0x9E3779B97F4A7C15L) >>> 1) < STAYS;
    return stays ? former.records() : now;
  }

  /** The answer of the leader that a broker names, which may be a deposed one. */
  RetainedOffsets retained(TopicPartition topicPartition, boolean fromOutdated) {
    return leader(topicPartition, fromOutdated, 0).offsets();
  }

  /**
   * The answers of the leaders that some brokers name to a task's client. Each request asks a
   * broker for the leader anew, so the first offset may be another leader's than end and epoch.
   */
  RetainedOffsets retained(TopicPartition topicPartition) {
    RetainedOffsets end = leader(topicPartition, 0).offsets();
    return new RetainedOffsets(earliest(topicPartition, 0), end.end(), end.leaderEpoch());
  }

  /** The first offset as a leader answers it to a client that ignores earlier epochs. */
  long earliest(TopicPartition topicPartition, int leastEpoch) {
    return leader(
            topicPartition,
            deposed.containsKey(topicPartition) && firstRequests++ * 0x9E3779B97F4A7C15L < 0,
            leastEpoch)
        .earliest();
  }

  /**
   * What the leader has that some broker names to a task's client.
   *
   * @param leastEpoch the client ignores the leaders of earlier epochs
   */
  PartitionRecords leader(TopicPartition topicPartition, int leastEpoch) {
    return leader(
        topicPartition,
        deposed.containsKey(topicPartition) && offsetRequests++ * 0x9E3779B97F4A7C15L < 0,
        leastEpoch);
  }

  private PartitionRecords leader(
      TopicPartition topicPartition, boolean fromOutdated, int leastEpoch) {
    PartitionRecords now = kafka.of(topicPartition);
    Deposed former = deposed.get(topicPartition);
    if (!fromOutdated
        || former == null
        || !kafka.isLife(topicPartition, former.topicId())
        || former.records().elections() < leastEpoch) {
      return now;
    }
    deposedAnswers += former.records().offsets().equals(now.offsets()) ? 0 : 1;
    return former.records();
  }

  /** Lets the connector's own client read a topic, or not. */
  void forbid(String topic, boolean so) {
    if (so) {
      unreadable.add(topic);
    } else {
      unreadable.remove(topic);
    }
  }

  boolean isUnreadable(String topic) {
    return unreadable.contains(topic);
  }

  /** The topics that may not be read. */
  Set<String> unreadable() {
    return Set.copyOf(unreadable);
  }

  /** True if a broker still describes an earlier life of a topic. */
  boolean showsFormerLife(String topic) {
    return outdated.getOrDefault(topic, Optional.empty()).stream()
        .anyMatch(former -> !former.topicId().equals(kafka.topicId(topic)));
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

  /** Lets consumers find a topic-partition, or not. Connect assigns only what they find. */
  void find(TopicPartition topicPartition, boolean so) {
    if (so) {
      unfound.remove(topicPartition);
    } else {
      unfound.add(topicPartition);
    }
  }

  /** The topic-partitions that consumers have found. */
  List<TopicPartition> found() {
    return kafka.topicPartitions().stream().filter(each -> !unfound.contains(each)).toList();
  }

  /** All brokers and consumers have all topics, and clients may describe them. */
  void settle() {
    forget();
    unfound.clear();
    List.copyOf(hidden).forEach(topic -> hide(topic, false));
  }

  /** All brokers have the metadata of all topics. */
  void forget() {
    outdated.clear();
    deposed.clear();
  }

  /** Decides whether a client asks a broker whose metadata may be outdated. */
  boolean asksOutdatedBroker() {
    return lookups++ * 0x9E3779B97F4A7C15L < 0;
  }

  /**
   * Decides which of several clients ask a broker whose metadata may be outdated: a single one, or
   * any but one.
   */
  List<Boolean> askOutdatedBrokers(int clients) {
    long drawn = (agreements++ * 0x9E3779B97F4A7C15L) >>> 1;
    int special = (int) (drawn % clients);
    boolean single = (drawn >> 32) % 2 == 0;
    return IntStream.range(0, clients)
        .mapToObj(each -> single ? each == special : (each != special && asksOutdatedBroker()))
        .toList();
  }

  /** Notes how often a single client of several got another answer than the others. */
  void noteAgreement(List<?> answers) {
    if (answers.stream()
        .distinct()
        .anyMatch(each -> Collections.frequency(answers, each) == answers.size() - 1)) {
      singleDissents++;
    }
  }

  /** A broker's description of a topic; empty if its metadata lacks the topic. */
  Optional<TopicDescription> describe(String topic, boolean fromOutdated) {
    Optional<TopicDescription> now = present(topic);
    Optional<TopicDescription> told = fromOutdated ? outdated.getOrDefault(topic, now) : now;
    outdatedAnswers += told.equals(now) ? 0 : 1;
    formerAnswers += told.isPresent() && showsFormerLife(topic) && !told.equals(now) ? 1 : 0;
    return told;
  }

  private Optional<TopicDescription> present(String topic) {
    // Each election makes another broker the leader.
    List<Integer> leaders =
        kafka.topicPartitions(topic).stream().map(each -> kafka.of(each).elections()).toList();
    return leaders.isEmpty()
        ? Optional.empty()
        : Optional.of(new TopicDescription(kafka.topicId(topic), leaders.size(), leaders));
  }

  /** The number of answers from outdated metadata. */
  int outdatedAnswers() {
    return outdatedAnswers;
  }

  /** The number of answers of deposed leaders that differed from those of the leaders. */
  int deposedAnswers() {
    return deposedAnswers;
  }

  /** The number of times that a single client of several got another answer than the others. */
  int singleDissents() {
    return singleDissents;
  }

  /** The number of answers that named a topic's former life. */
  int formerAnswers() {
    return formerAnswers;
  }
}
