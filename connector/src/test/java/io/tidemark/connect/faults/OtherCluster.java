package io.tidemark.connect.faults;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Another cluster, as a process sees it. Its topics have the same names; they contain more records
 * and begin at later offsets, or contain none. No group has ever consumed them.
 *
 * @param end the end offset of each topic-partition
 */
record OtherCluster(CallGate gate, long end) implements TopicMetadata {
  static final String CLUSTER = "other";

  /** The id of a topic. */
  static String topicId(String topic) {
    return topic + "-0";
  }

  @Override
  public TopicIdentity identity(String topic) throws IOException {
    return gate.ask("kafka identity " + topic, () -> new TopicIdentity(CLUSTER, topicId(topic)));
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
  public long earliest(TopicPartition topicPartition, int present) throws IOException {
    return retainedOffsets(topicPartition).earliest();
  }

  @Override
  public long greatestEnd(TopicPartition topicPartition) throws IOException {
    return gate.ask("kafka greatestEnd " + topicPartition, () -> end);
  }

  @Override
  public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException {
    return gate.ask(
        "kafka ends",
        () -> topicPartitions.stream().collect(Collectors.toMap(each -> each, each -> end)));
  }

  @Override
  public Undelivered undelivered(TopicPartition topicPartition, OffsetRange offsets, int present)
      throws IOException {
    return gate.ask("kafka tail " + topicPartition, () -> Undelivered.EMPTY);
  }

  @Override
  public OptionalLong truncatedAt(
      TopicPartition topicPartition, long next, int leaderEpoch, int present) throws IOException {
    return gate.ask("kafka truncatedAt " + topicPartition, OptionalLong::empty);
  }

  @Override
  public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException {
    return gate.ask("kafka groupOffset " + topicPartition, Optional::empty);
  }

  @Override
  public void close() {}
}
