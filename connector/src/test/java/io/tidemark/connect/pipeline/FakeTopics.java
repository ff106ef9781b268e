package io.tidemark.connect.pipeline;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Several topics in memory, of which each answers for itself. */
final class FakeTopics implements TopicMetadata {
  private final FakeTopic first;
  private final Map<String, FakeTopic> byName = new ConcurrentHashMap<>();

  FakeTopics(FakeTopic first) {
    this.first = first;
  }

  void add(FakeTopic topic) {
    byName.put(topic.name, topic);
  }

  /** The topic of a name; the first one answers for all that were not added. */
  FakeTopic of(String name) {
    return byName.getOrDefault(name, first);
  }

  private FakeTopic of(TopicPartition topicPartition) {
    return of(topicPartition.topic());
  }

  @Override
  public TopicIdentity identity(String topic) throws IOException {
    return of(topic).identity(topic);
  }

  @Override
  public TopicIdentity agreedIdentity(String topic) throws IOException {
    return of(topic).agreedIdentity(topic);
  }

  @Override
  public boolean gone(TopicPartition topicPartition) throws IOException {
    return of(topicPartition).gone(topicPartition);
  }

  @Override
  public RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException {
    return of(topicPartition).retainedOffsets(topicPartition);
  }

  @Override
  public long earliest(TopicPartition topicPartition, int present) throws IOException {
    return of(topicPartition).earliest(topicPartition, present);
  }

  @Override
  public long greatestEnd(TopicPartition topicPartition) throws IOException {
    return of(topicPartition).greatestEnd(topicPartition);
  }

  @Override
  public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException {
    Map<TopicPartition, Long> told = new HashMap<>();
    for (TopicPartition each : topicPartitions) {
      told.putAll(of(each).ends(Set.of(each)));
    }
    return told;
  }

  @Override
  public Undelivered undelivered(TopicPartition topicPartition, OffsetRange offsets, int present)
      throws IOException {
    return of(topicPartition).undelivered(topicPartition, offsets, present);
  }

  @Override
  public OptionalLong truncatedAt(
      TopicPartition topicPartition, long next, int leaderEpoch, int present) {
    return of(topicPartition).truncatedAt(topicPartition, next, leaderEpoch, present);
  }

  @Override
  public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException {
    return of(topicPartition).groupOffset(topicPartition);
  }

  @Override
  public void close() {}
}
