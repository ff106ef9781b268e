package io.tidemark.connect.kafka;

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

/**
 * Requests the end of a leader epoch, with the connector's own consumer, which reads no records. It
 * seeks to an offset and an epoch. Its position then shows whether the offset was truncated
 * (KIP-320). It needs DESCRIBE on the topics. Thread-safe; one thread at a time sends requests.
 */
final class LeaderEpochs implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final OwnConsumer consumer;

  LeaderEpochs(Map<String, Object> properties) {
    this.consumer = new OwnConsumer(properties, Map.of());
  }

  /** Returns the first offset below {@code next} that was truncated after the epoch, if any. */
  synchronized OptionalLong truncatedAt(TopicPartition topicPartition, long next, int leaderEpoch)
      throws IOException {
    try {
      KafkaConsumer<byte[], byte[]> asking = consumer.assigned(List.of(topicPartition));
      // Load the metadata: without its leader epoch, the consumer would send no request.
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

  @Override
  public synchronized void close() {
    consumer.close();
  }
}
