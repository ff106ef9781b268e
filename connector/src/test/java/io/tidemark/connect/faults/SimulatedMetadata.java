package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.store.TopicPartition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What clients can know about the topics of a {@link SimulatedKafka}. Some brokers learn changes
 * late, consumers find new topic-partitions late, and the connector's own client may not describe
 * every topic.
 */
final class SimulatedMetadata {
  private final SimulatedKafka kafka;
  private final LongSupplier nowMs;

  /** By topic, the former description that some brokers still have; empty if they have none. */
  private final Map<String, Optional<TopicDescription>> outdated = new HashMap<>();

  /** The topics that the connector's own client may not describe. */
  private final Set<String> hidden = new HashSet<>();

  private final Map<String, Long> visibleSinceMs = new HashMap<>();
  private final Set<TopicPartition> unfound = new HashSet<>();
  private long lookups;
  private int outdatedAnswers;
  private int formerAnswers;

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
    outdated.clear();
    unfound.clear();
    List.copyOf(hidden).forEach(topic -> hide(topic, false));
  }

  /** Decides whether a client asks a broker whose metadata may be outdated. */
  boolean asksOutdatedBroker() {
    return lookups++ * 0x9E3779B97F4A7C15L < 0;
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

  /** The number of answers that named a topic's former life. */
  int formerAnswers() {
    return formerAnswers;
  }
}
