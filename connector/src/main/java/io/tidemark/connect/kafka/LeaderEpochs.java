package io.tidemark.connect.kafka;

import io.tidemark.connect.commit.KafkaUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Asks brokers where a leader epoch ended, by a consumer of our own that has no group and reads
 * nothing: it stands at an offset and an epoch, and learns from its position whether that offset
 * was truncated (KIP-320). It needs DESCRIBE on the topics. Safe for use by many threads, of which
 * one asks at a time.
 */
final class LeaderEpochs implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Map<String, Object> properties;
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;
  private boolean closed;

  /** Makes nothing yet: the consumer is made when it is first asked. */
  LeaderEpochs(Map<String, Object> properties) {
    Map<String, Object> ours = new HashMap<>(properties);
    ours.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    ours.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    ours.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    ours.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    ours.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    ours.remove(ConsumerConfig.GROUP_ID_CONFIG);
    this.properties = Map.copyOf(ours);
  }

  /** The first offset below {@code next} that is not as the epoch knew it; empty where none is. */
  synchronized OptionalLong truncatedAt(TopicPartition topicPartition, long next, int leaderEpoch)
      throws IOException {
    if (closed) {
      throw new KafkaUnavailableException("the task is stopping");
    }
    try {
      KafkaConsumer<byte[], byte[]> asking = consumer();
      asking.assign(List.of(topicPartition));
      // Brings the metadata: without a leader's epoch from there the consumer would ask no broker.
      asking.endOffsets(List.of(topicPartition), TIMEOUT);
      asking.seek(topicPartition, new OffsetAndMetadata(next, Optional.of(leaderEpoch), ""));
      long position = asking.position(topicPartition, TIMEOUT);
      return position < next ? OptionalLong.of(position) : OptionalLong.empty();
    } catch (LogTruncationException e) {
      // Without an offset, no broker knows the epoch or one before it any more.
      OffsetAndMetadata divergent = e.divergentOffsets().get(topicPartition);
      return OptionalLong.of(divergent == null ? 0 : Math.min(divergent.offset(), next - 1));
    } catch (KafkaException e) {
      throw OwnRight.describeTopic(topicPartition.topic())
          .failure(
              "Kafka did not tell where the leader epoch "
                  + leaderEpoch
                  + " of "
                  + topicPartition
                  + " ended: "
                  + e.getMessage(),
              e);
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    KafkaConsumer<byte[], byte[]> made = consumer;
    if (made == null) {
      made = new KafkaConsumer<>(properties);
      consumer = made;
    }
    return made;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (consumer != null) {
      consumer.close();
      consumer = null;
    }
  }
}
