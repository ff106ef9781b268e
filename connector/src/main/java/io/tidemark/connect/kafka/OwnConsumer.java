package io.tidemark.connect.kafka;

import io.tidemark.store.commit.KafkaUnavailableException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * One of the connector's own consumers. It has no group, commits no offsets, and is created at its
 * first use. One thread at a time uses and closes it; any thread may stop it.
 */
final class OwnConsumer implements AutoCloseable {
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Map<String, Object> properties;
  private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
  private volatile boolean stopped;

  /** {@code more} are the properties of this consumer, besides Kafka's client properties. */
  OwnConsumer(Map<String, Object> properties, Map<String, Object> more) {
    Map<String, Object> ours = new HashMap<>(properties);
    ours.remove(ConsumerConfig.GROUP_ID_CONFIG);
    ours.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    ours.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    ours.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    ours.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    ours.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    ours.putAll(more);
    this.properties = Map.copyOf(ours);
  }

  /** Returns the consumer with these topic-partitions; throws if it is stopped. */
  KafkaConsumer<byte[], byte[]> assigned(Collection<TopicPartition> topicPartitions)
      throws KafkaUnavailableException {
    if (stopped) {
      throw new KafkaUnavailableException("the task is stopping");
    }
    KafkaConsumer<byte[], byte[]> made = consumer;
    if (made == null) {
      made = new KafkaConsumer<>(properties);
      consumer = made;
    }
    made.assign(topicPartitions);
    return made;
  }

  /**
   * Returns the consumer, to seek. It ignores leaders of epochs before {@code present}: after a
   * failure close it, because a recreated topic may have no such epoch.
   */
  KafkaConsumer<byte[], byte[]> withLeader(TopicPartition topicPartition, int present)
      throws KafkaUnavailableException {
    KafkaConsumer<byte[], byte[]> made = assigned(List.of(topicPartition));
    // Load the metadata: the consumer ignores the epoch of an earlier seek, and sends no request.
    made.endOffsets(List.of(topicPartition), TIMEOUT);
    made.seek(topicPartition, new OffsetAndMetadata(0, Optional.of(present), ""));
    return made;
  }

  /** Asks {@link #withLeader}, one question at a time; {@code what} completes the failure. */
  synchronized <T> T ask(
      TopicPartition topicPartition,
      int present,
      String what,
      Function<KafkaConsumer<byte[], byte[]>, T> question)
      throws KafkaUnavailableException {
    try {
      return question.apply(withLeader(topicPartition, present));
    } catch (KafkaException e) {
      close();
      throw OwnRight.describeTopic(topicPartition.topic())
          .failure(
              "Kafka did not return %s of %s: %s".formatted(what, topicPartition, e.getMessage()),
              e);
    }
  }

  /** Aborts a request in another thread, which then fails. */
  void stop() {
    stopped = true;
    KafkaConsumer<byte[], byte[]> atWork = consumer;
    if (atWork != null) {
      atWork.wakeup();
    }
  }

  /** Returns whether the consumer must not be used any more. */
  boolean stopped() {
    return stopped;
  }

  /** The next use creates another consumer, unless this one is stopped. */
  @Override
  public synchronized void close() {
    KafkaConsumer<byte[], byte[]> made = consumer;
    if (made != null) {
      made.close();
      consumer = null;
    }
  }
}
