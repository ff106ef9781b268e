package io.tidemark.connect.kafka;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.TopicMetadata.Undelivered;
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
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a range of offsets has a record, with the connector's own consumers. With any
 * isolation level, a consumer skips transaction markers and compacted offsets. So the consumer's
 * position shows that there was no record. The probe needs READ on the topics. Thread-safe; one
 * thread at a time reads.
 */
final class KafkaRecordProbe implements AutoCloseable {
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
   * Creates the probe; a consumer is created at its first use. With {@code readCommitted}, records
   * of aborted transactions do not count: the worker's consumers skip them.
   */
  KafkaRecordProbe(Map<String, Object> properties, boolean readCommitted, MonotonicClock clock) {
    this.properties =
        OwnConsumer.properties(properties, Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1));
    this.readCommitted = readCommitted;
    this.clock = clock;
  }

  synchronized Undelivered look(TopicPartition topicPartition, OffsetRange range)
      throws IOException {
    if (closed) {
      throw new KafkaUnavailableException("the task is stopping");
    }
    try {
      // If there are not even uncommitted records, no isolation level returns a record.
      if (!finds(IsolationLevel.READ_UNCOMMITTED, topicPartition, range)) {
        return Undelivered.EMPTY;
      }
      return readCommitted
              && stableEnd(topicPartition) >= range.next()
              && !finds(IsolationLevel.READ_COMMITTED, topicPartition, range)
          ? Undelivered.EMPTY
          : Undelivered.HAS_RECORDS;
    } catch (OffsetOutOfRangeException e) {
      return Undelivered.GONE;
    } catch (KafkaException e) {
      throw OwnRight.readTopic(topicPartition.topic())
          .failure(
              "%s: the consumer failed to find out whether there are records at %s: %s. Until then, the log ends before them"
                  .formatted(topicPartition, range, e.getMessage()),
              e);
    }
  }

  /** Returns the last stable offset; later records may be of open transactions. */
  private long stableEnd(TopicPartition topicPartition) {
    KafkaConsumer<byte[], byte[]> asking = consumer(IsolationLevel.READ_COMMITTED);
    // The consumer logs a warning for results of topic-partitions that are not assigned.
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
        "%s: the consumer did not find out within %d s whether there are records at %s. Until then, the log ends before them. The task retries."
            .formatted(topicPartition, TIMEOUT.toSeconds(), range));
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
