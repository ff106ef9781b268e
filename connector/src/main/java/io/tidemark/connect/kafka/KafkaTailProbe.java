package io.tidemark.connect.kafka;

import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.commit.KafkaUnavailableException;
import io.tidemark.connect.commit.TopicMetadata.Tail;
import io.tidemark.connect.time.MonotonicClock;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Looks by consumers of our own, which have no group, whether offsets hold a record. A consumer
 * passes over markers of transactions and offsets that were compacted, whatever its isolation, so
 * its position shows that there was nothing. It needs READ on the topics. Safe for use by many
 * threads, of which one looks at a time.
 */
final class KafkaTailProbe implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(500);

  private final Map<String, Object> properties;
  private final boolean readCommitted;
  private final MonotonicClock clock;
  private final Map<IsolationLevel, KafkaConsumer<byte[], byte[]>> consumers =
      new EnumMap<>(IsolationLevel.class);
  private volatile boolean closed;
  private volatile @Nullable KafkaConsumer<byte[], byte[]> looking;

  /**
   * Makes nothing yet: a consumer is made when it is first needed.
   *
   * @param readCommitted the worker's consumers read committed records alone: then those of aborted
   *     transactions are no records
   */
  KafkaTailProbe(Map<String, Object> properties, boolean readCommitted, MonotonicClock clock) {
    Map<String, Object> ours = new HashMap<>(properties);
    ours.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    ours.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    ours.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    ours.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
    ours.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    ours.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    ours.remove(ConsumerConfig.GROUP_ID_CONFIG);
    this.properties = Map.copyOf(ours);
    this.readCommitted = readCommitted;
    this.clock = clock;
  }

  /** What the offsets of a range hold, which lie below the end offset. */
  synchronized Tail look(TopicPartition topicPartition, OffsetRange range) throws IOException {
    if (closed) {
      throw new KafkaUnavailableException("the task is stopping");
    }
    try {
      // Where not even uncommitted records are, no isolation shows one.
      if (!finds(IsolationLevel.READ_UNCOMMITTED, topicPartition, range)) {
        return Tail.EMPTY;
      }
      return readCommitted
              && stableEnd(topicPartition) >= range.next()
              && !finds(IsolationLevel.READ_COMMITTED, topicPartition, range)
          ? Tail.EMPTY
          : Tail.HAS_RECORDS;
    } catch (OffsetOutOfRangeException e) {
      return Tail.GONE;
    } catch (KafkaException e) {
      throw OwnRight.readTopic(topicPartition.topic())
          .failure(
              topicPartition
                  + ": Kafka did not show whether there are records at "
                  + range
                  + ": "
                  + e.getMessage()
                  + ". Until it does, the log ends before them",
              e);
    }
  }

  /** Behind it lie the records of transactions that are open. */
  private long stableEnd(TopicPartition topicPartition) {
    KafkaConsumer<byte[], byte[]> asking = consumer(IsolationLevel.READ_COMMITTED);
    // It warns of answers for what it is not assigned.
    asking.assign(List.of(topicPartition));
    try {
      return asking.endOffsets(List.of(topicPartition), TIMEOUT).getOrDefault(topicPartition, 0L);
    } finally {
      asking.unsubscribe();
    }
  }

  private boolean finds(IsolationLevel isolation, TopicPartition topicPartition, OffsetRange range)
      throws IOException {
    KafkaConsumer<byte[], byte[]> reading = consumer(isolation);
    reading.assign(List.of(topicPartition));
    looking = reading;
    try {
      reading.seek(topicPartition, range.first());
      long begunMs = clock.millis();
      do {
        for (var found : reading.poll(POLL)) {
          return found.offset() < range.next();
        }
        if (reading.position(topicPartition, TIMEOUT) >= range.next()) {
          return false;
        }
      } while (!closed && clock.millis() - begunMs < TIMEOUT.toMillis());
    } finally {
      looking = null;
      reading.unsubscribe();
    }
    throw new KafkaUnavailableException(
        topicPartition
            + ": Kafka did not show in "
            + TIMEOUT.toSeconds()
            + " s whether there are records at "
            + range
            + ". Until it does, the log ends before them; Kafka is asked again.");
  }

  private KafkaConsumer<byte[], byte[]> consumer(IsolationLevel isolation) {
    return consumers.computeIfAbsent(
        isolation,
        level -> {
          Map<String, Object> ours = new HashMap<>(properties);
          ours.put(
              ConsumerConfig.ISOLATION_LEVEL_CONFIG, level.toString().toLowerCase(Locale.ROOT));
          return new KafkaConsumer<>(ours);
        });
  }

  @Override
  public void close() {
    closed = true;
    KafkaConsumer<byte[], byte[]> atWork = looking;
    if (atWork != null) {
      atWork.wakeup();
    }
    synchronized (this) {
      consumers.values().forEach(KafkaConsumer::close);
      consumers.clear();
    }
  }
}
