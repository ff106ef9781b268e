package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.connect.kafka.KafkaTopicMetadata;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.commit.TopicMetadata.Undelivered;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The answers of a real broker about the last offsets of a topic-partition. */
@OnSharedStack
final class TailsIT {

  @Test
  void markerIsNoRecord(RealStack stack) {
    SourceTopic topic = stack.topic("tail-marker", 1);
    topic.sendInTransaction(Readings.V1, 0, 10, true);
    try (TopicMetadata topics = topics(stack, false)) {
      assertThat(end(topics, topic)).isEqualTo(11);
      assertThat(tail(topics, topic, 10, 11)).isEqualTo(Undelivered.EMPTY);
      assertThat(tail(topics, topic, 9, 11)).isEqualTo(Undelivered.HAS_RECORDS);
    }
  }

  @Test
  void abortedRecordIsOneWhereUncommittedRecordsAreRead(RealStack stack) {
    SourceTopic topic = stack.topic("tail-aborted", 1);
    topic.sendInTransaction(Readings.V1, 0, 10, false);
    try (TopicMetadata uncommitted = topics(stack, false);
        TopicMetadata committed = topics(stack, true)) {
      assertThat(tail(uncommitted, topic, 0, 11)).isEqualTo(Undelivered.HAS_RECORDS);
      assertThat(tail(committed, topic, 0, 11)).isEqualTo(Undelivered.EMPTY);
    }
  }

  @Test
  void openTransactionHasRecordsBeforeTheEndOffset(RealStack stack) {
    SourceTopic topic = stack.topic("tail-open", 1);
    try (TopicMetadata uncommitted = topics(stack, false);
        TopicMetadata committed = topics(stack, true)) {
      topic.sendInTransaction(
          Readings.V1,
          0,
          10,
          false,
          () -> {
            assertThat(end(committed, topic)).isEqualTo(10);
            assertThat(tail(uncommitted, topic, 0, 10)).isEqualTo(Undelivered.HAS_RECORDS);
            assertThat(tail(committed, topic, 0, 10)).isEqualTo(Undelivered.HAS_RECORDS);
          });
      assertThat(tail(committed, topic, 0, 11)).isEqualTo(Undelivered.EMPTY);
    }
  }

  @Test
  void recordsThatAreRetainedAwayAreGone(RealStack stack) {
    SourceTopic topic = stack.topic("tail-gone", 1);
    topic.send(Readings.V1, 0, 10);
    topic.forgetBefore(0, 10);
    try (TopicMetadata topics = topics(stack, false)) {
      assertThat(tail(topics, topic, 4, 10)).isEqualTo(Undelivered.GONE);
    }
  }

  @Test
  void topicThatIsGoneHidesNoEndOfAnother(RealStack stack) throws Exception {
    SourceTopic topic = stack.topic("tail-ends", 3);
    topic.send(Readings.V1, 0, 10);
    Set<TopicPartition> asked =
        Set.of(
            new TopicPartition(topic.name(), 0),
            new TopicPartition(topic.name(), 2),
            new TopicPartition("tail-of-no-topic", 0));
    try (TopicMetadata topics = topics(stack, false)) {
      assertThat(topics.ends(asked))
          .containsOnly(
              Map.entry(new TopicPartition(topic.name(), 0), 10L),
              Map.entry(new TopicPartition(topic.name(), 2), 10L));
    }
  }

  private static TopicMetadata topics(RealStack stack, boolean readCommitted) {
    return new KafkaTopicMetadata(
        Map.of(
            "bootstrap.servers",
            stack.services().kafka().bootstrapServers(),
            "default.api.timeout.ms",
            "5000",
            "request.timeout.ms",
            "5000"),
        "nobody",
        readCommitted);
  }

  private static Undelivered tail(TopicMetadata topics, SourceTopic topic, long first, long next) {
    try {
      return topics.undelivered(
          new TopicPartition(topic.name(), 0), new OffsetRange(first, next), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long end(TopicMetadata topics, SourceTopic topic) {
    TopicPartition first = new TopicPartition(topic.name(), 0);
    try {
      return topics.ends(Set.of(first)).getOrDefault(first, -1L);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
