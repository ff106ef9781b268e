package io.tidemark.connect.kafka;

import io.tidemark.store.commit.KafkaUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Requests the end of a leader epoch, with the connector's own consumer, which reads no records. It
 * seeks to an offset and an epoch. Its position then shows whether the offset was truncated
 * (KIP-320). It needs DESCRIBE on the topics. Thread-safe; one thread at a time sends requests.
 */
final class LeaderEpochs implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final Map<String, Object> properties;
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;
  private boolean closed;

  /** Creates the client; the consumer is created at its first use. */
  LeaderEpochs(Map<String, Object> properties) {
    this.properties = OwnConsumer.properties(properties, Map.of());
  }

  /**
   * Returns the first offset below {@code next} that was truncated after the epoch; empty if there
   * is none.
   */
  synchronized OptionalLong truncatedAt(TopicPartition topicPartition, long next, int leaderEpoch)
      throws IOException {
    if (closed) {
      throw new KafkaUnavailableException("the task is stopping");
    }
    try {
      KafkaConsumer<byte[], byte[]> asking = consumer();
      asking.assign(List.of(topicPartition));
      // Load the metadata: without a leader epoch in the metadata, the consumer would send no
      // request to a broker.
      asking.endOffsets(List.of(topicPartition), TIMEOUT);
      asking.seek(topicPartition, new OffsetAndMetadata(next, Optional.of(leaderEpoch), ""));
      long position = asking.position(topicPartition, TIMEOUT);
      return position < next ? OptionalLong.of(position) : OptionalLong.empty();
    } catch (LogTruncationException e) {
      // Without an offset, no broker has the epoch or an earlier one any more.
      OffsetAndMetadata divergent = e.divergentOffsets().get(topicPartition);
      return OptionalLong.of(divergent == null ? 0 : Math.min(divergent.offset(), next - 1));
    } catch (KafkaException e) {
      throw OwnRight.describeTopic(topicPartition.topic())
          .failure(
              "Kafka did not return the end of the leader epoch %d of %s: %s"
                  .formatted(leaderEpoch, topicPartition, e.getMessage()),
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
