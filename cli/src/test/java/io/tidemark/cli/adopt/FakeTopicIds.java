package io.tidemark.cli.adopt;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Kafka's topics, of which an adoption only requests the ids. */
public final class FakeTopicIds implements TopicMetadata {
  @Override
  public TopicIdentity identity(String topic) {
    return new TopicIdentity("cluster", "id of " + topic);
  }

  @Override
  public TopicIdentity agreedIdentity(String topic) {
    return identity(topic);
  }

  @Override
  public boolean gone(TopicPartition topicPartition) {
    throw new UnsupportedOperationException("not requested");
  }

  @Override
  public RetainedOffsets retainedOffsets(TopicPartition topicPartition) {
    throw new UnsupportedOperationException("not requested");
  }

  @Override
  public long earliest(TopicPartition topicPartition, int present) {
    throw new UnsupportedOperationException("not requested");
  }

  @Override
  public long greatestEnd(TopicPartition topicPartition) {
    throw new UnsupportedOperationException("not requested");
  }

  @Override
  public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) {
    throw new UnsupportedOperationException("not requested");
  }

  @Override
  public Undelivered undelivered(TopicPartition topicPartition, OffsetRange offsets, int present) {
    throw new UnsupportedOperationException("not requested");
  }

  @Override
  public OptionalLong truncatedAt(
      TopicPartition topicPartition, long next, int leaderEpoch, int present) {
    throw new UnsupportedOperationException("not requested");
  }

  @Override
  public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) {
    throw new UnsupportedOperationException("not requested");
  }

  @Override
  public void close() {}
}
