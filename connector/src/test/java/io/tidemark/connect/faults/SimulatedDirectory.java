package io.tidemark.connect.faults;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.KafkaRefusedException;
import io.tidemark.store.commit.NoSuchTopicException;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/** A {@link SimulatedKafka} as the connector's own client in one process sees it. */
final class SimulatedDirectory implements TopicMetadata {
  /** The number of clients that must agree. The broker of one of them is not outdated. */
  private static final int CLIENTS = 5;

  private final SimulatedKafka kafka;
  private final SimulatedMetadata metadata;
  private final CallGate gate;

  /** The life of each topic in which the consumer got its position, until the task learns an id. */
  private final Map<String, Integer> positionedIn = new HashMap<>();

  SimulatedDirectory(SimulatedKafka kafka, CallGate gate) {
    this.kafka = kafka;
    this.metadata = kafka.metadata();
    this.gate = gate;
  }

  /** The consumer of the process gets its position in a topic. */
  void positioned(String topic) {
    positionedIn.put(topic, kafka.life(topic));
  }

  @Override
  public TopicIdentity identity(String topic) throws IOException {
    return gate.ask(
        "kafka identity " + topic,
        () -> {
          TopicIdentity found = identity(topic, metadata.asksOutdatedBroker());
          Integer positioned = positionedIn.remove(topic);
          if (positioned != null && positioned < SimulatedKafka.lifeOf(topic, found.topicId())) {
            kafka.positionedBlindly(topic);
          }
          return found;
        });
  }

  @Override
  public TopicIdentity agreedIdentity(String topic) throws IOException {
    return gate.ask(
        "kafka agreedIdentity " + topic,
        () -> {
          List<TopicIdentity> all = new ArrayList<>();
          for (boolean outdated : metadata.askOutdatedBrokers(CLIENTS)) {
            all.add(identity(topic, outdated));
          }
          metadata.noteAgreement(all);
          if (all.stream().distinct().count() > 1) {
            throw new IOException("the brokers do not agree on " + topic);
          }
          return all.get(0);
        });
  }

  private TopicIdentity identity(String topic, boolean fromOutdated) throws IOException {
    requireVisible(topic);
    Optional<TopicDescription> found = metadata.describe(topic, fromOutdated);
    if (found.isEmpty()) {
      throw new NoSuchTopicException("there is no topic " + topic, null);
    }
    return new TopicIdentity(kafka.cluster(), found.get().topicId());
  }

  @Override
  public boolean gone(TopicPartition topicPartition) throws IOException {
    return gate.ask(
        "kafka gone " + topicPartition,
        () -> {
          requireVisible(topicPartition.topic());
          List<Boolean> all =
              metadata.askOutdatedBrokers(CLIENTS).stream()
                  .map(outdated -> isGone(topicPartition, outdated))
                  .toList();
          metadata.noteAgreement(all);
          return !all.contains(false);
        });
  }

  private boolean isGone(TopicPartition topicPartition, boolean fromOutdated) {
    return metadata
        .describe(topicPartition.topic(), fromOutdated)
        .filter(found -> found.topicPartitions() > topicPartition.partition())
        .isEmpty();
  }

  @Override
  public RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException {
    return gate.ask(
        "kafka retainedOffsets " + topicPartition,
        () -> {
          requireVisible(topicPartition.topic());
          requireLeader(topicPartition);
          return metadata.retained(topicPartition);
        });
  }

  @Override
  public long earliest(TopicPartition topicPartition, int present) throws IOException {
    return gate.ask(
        "kafka earliest " + topicPartition,
        () -> {
          requireVisible(topicPartition.topic());
          requireLeader(topicPartition);
          return metadata.earliest(topicPartition, present);
        });
  }

  @Override
  public long greatestEnd(TopicPartition topicPartition) throws IOException {
    if (gone(topicPartition)) {
      return 0;
    }
    return gate.ask(
        "kafka greatestEnd " + topicPartition,
        () -> {
          requireVisible(topicPartition.topic());
          requireLeader(topicPartition);
          List<Long> all =
              metadata.askOutdatedBrokers(CLIENTS).stream()
                  .map(outdated -> metadata.retained(topicPartition, outdated).end())
                  .toList();
          metadata.noteAgreement(all);
          return Collections.max(all);
        });
  }

  @Override
  public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException {
    return gate.ask(
        "kafka ends",
        () -> {
          Map<TopicPartition, Long> ends = new LinkedHashMap<>();
          Optional<IOException> failure = Optional.empty();
          for (TopicPartition each : topicPartitions) {
            try {
              requireVisible(each.topic());
              requireLeader(each);
              ends.put(each, metadata.leader(each, 0).end());
            } catch (IOException e) {
              failure = Optional.of(e);
            }
          }
          if (ends.isEmpty() && failure.isPresent()) {
            throw failure.get();
          }
          return ends;
        });
  }

  /**
   * The tail as a consumer of the connector's own client sees it: this consumer receives
   * uncommitted records, too.
   */
  @Override
  public Undelivered undelivered(TopicPartition topicPartition, OffsetRange offsets, int present)
      throws IOException {
    return gate.ask(
        "kafka tail " + topicPartition,
        () -> {
          requireReadable(topicPartition.topic());
          requireLeader(topicPartition);
          PartitionRecords of = metadata.leader(topicPartition, present);
          if (of.earliest() > offsets.first() || of.end() < offsets.first()) {
            return Undelivered.GONE;
          }
          if (of.end() < offsets.next()) {
            throw new IOException("the leader has not all of " + offsets);
          }
          return of.isEmpty(offsets) ? Undelivered.EMPTY : Undelivered.HAS_RECORDS;
        });
  }

  @Override
  public OptionalLong truncatedAt(
      TopicPartition topicPartition, long next, int leaderEpoch, int present) throws IOException {
    return gate.ask(
        "kafka truncatedAt " + topicPartition,
        () -> {
          requireLeader(topicPartition);
          return metadata
              .leader(topicPartition, Math.max(present, leaderEpoch))
              .truncatedAt(next, leaderEpoch);
        });
  }

  @Override
  public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException {
    return gate.ask("kafka groupOffset " + topicPartition, () -> kafka.committed(topicPartition));
  }

  private void requireVisible(String topic) throws IOException {
    if (metadata.isHidden(topic)) {
      throw new IOException("the client may not describe " + topic);
    }
  }

  private void requireReadable(String topic) throws IOException {
    if (metadata.isUnreadable(topic)) {
      throw new KafkaRefusedException(
          "the client may not read " + topic,
          SimulatedOperator.READ_RIGHT + topic + ".",
          new TopicAuthorizationException(topic));
    }
  }

  private void requireLeader(TopicPartition topicPartition) throws IOException {
    if (!kafka.exists(topicPartition) || !kafka.hasLeader(topicPartition)) {
      throw new IOException(topicPartition + " has no leader, or does not exist");
    }
  }

  @Override
  public void close() {}
}
