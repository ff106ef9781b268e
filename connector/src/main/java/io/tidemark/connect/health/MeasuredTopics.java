package io.tidemark.connect.health;

import io.tidemark.connect.health.ServiceCalls.Call;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Metadata of topics, with measured requests. */
public record MeasuredTopics(TopicMetadata measured, ServiceCalls calls) implements TopicMetadata {

  @Override
  public TopicIdentity identity(String topic) throws IOException {
    try (Call call = calls.begin("topic id")) {
      TopicIdentity answer = measured.identity(topic);
      call.answer();
      return answer;
    }
  }

  @Override
  public TopicIdentity agreedIdentity(String topic) throws IOException {
    try (Call call = calls.begin("topic id of several brokers")) {
      TopicIdentity answer = measured.agreedIdentity(topic);
      call.answer();
      return answer;
    }
  }

  @Override
  public RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException {
    try (Call call = calls.begin("retained offsets")) {
      RetainedOffsets answer = measured.retainedOffsets(topicPartition);
      call.answer();
      return answer;
    }
  }

  @Override
  public Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException {
    try (Call call = calls.begin("end offsets")) {
      Map<TopicPartition, Long> answer = measured.ends(topicPartitions);
      call.answer();
      return answer;
    }
  }

  @Override
  public Tail tail(TopicPartition topicPartition, OffsetRange offsets) throws IOException {
    try (Call call = calls.begin("records at the end")) {
      Tail answer = measured.tail(topicPartition, offsets);
      call.answer();
      return answer;
    }
  }

  @Override
  public OptionalLong truncatedAt(TopicPartition topicPartition, long next, int leaderEpoch)
      throws IOException {
    try (Call call = calls.begin("leader epochs")) {
      OptionalLong answer = measured.truncatedAt(topicPartition, next, leaderEpoch);
      call.answer();
      return answer;
    }
  }

  @Override
  public Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException {
    try (Call call = calls.begin("the group's offset")) {
      Optional<GroupOffset> answer = measured.groupOffset(topicPartition);
      call.answer();
      return answer;
    }
  }

  @Override
  public void close() {
    measured.close();
  }
}
