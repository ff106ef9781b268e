package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.it.stack.OnSharedStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.connect.kafka.KafkaTopicMetadata;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.TopicMetadata;
import io.tidemark.store.commit.TopicMetadata.RetainedOffsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a real broker returns to a consumer that knows a leader epoch and never polls. */
@OnSharedStack
final class TruncatedAtIT {

  @Test
  void brokerSaysThatAnEpochEndedBelowAnOffset(RealStack stack) throws Exception {
    SourceTopic topic = stack.topic("truncated-at", 2);
    topic.send(Readings.V1, 0, 10);
    topic.forgetBefore(0, 4);
    try (TopicMetadata topics =
        new KafkaTopicMetadata(
            Map.of("bootstrap.servers", stack.services().kafka().bootstrapServers()),
            "nobody",
            false)) {
      for (int round = 0; round < 2; round++) {
        for (int partition = 0; partition < topic.topicPartitions(); partition++) {
          TopicPartition topicPartition = new TopicPartition(topic.name(), partition);
          RetainedOffsets retained = topics.retainedOffsets(topicPartition);
          assertThat(retained.end()).isEqualTo(10);
          assertThat(retained.leaderEpoch()).isNotNegative();

          int epoch = retained.leaderEpoch();
          assertThat(topics.retainedOffsets(topicPartition, epoch))
              .isEqualTo(new RetainedOffsets(partition == 0 ? 4 : 0, 10, epoch));
          assertThat(topics.retainedOffsets(topicPartition, epoch + 1)).isEqualTo(retained);
          assertThat(topics.truncatedAt(topicPartition, 10, epoch, epoch)).isEmpty();
          assertThat(topics.truncatedAt(topicPartition, 20, epoch, epoch))
              .as("records that were read up to 20 would be gone from 10 on")
              .hasValue(10);
        }
      }
      TopicPartition first = new TopicPartition(topic.name(), 0);
      int later = topics.retainedOffsets(first).leaderEpoch() + 1;
      assertThatThrownBy(() -> topics.earliest(first, later))
          .as("a leader of an earlier epoch is not asked")
          .isInstanceOf(KafkaUnavailableException.class)
          .hasMessageContaining("the first offset from a leader of the epoch " + later);
      assertThat(topics.earliest(first, later - 1)).isEqualTo(4);
    }
  }
}
