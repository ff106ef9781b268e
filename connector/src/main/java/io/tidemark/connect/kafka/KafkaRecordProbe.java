package io.tidemark.connect.kafka;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.TopicMetadata.Undelivered;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Checks whether a range of offsets has a record, with the connector's own consumers. With any
 * isolation level, a consumer skips transaction markers and compacted offsets. So the consumer's
 * position shows that there was no record. The probe needs READ on the topics. Thread-safe.
 */
final class KafkaRecordProbe implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(500);

  private final OwnConsumer uncommitted;
  private final OwnConsumer committed;
  private final boolean readCommitted;
  private final MonotonicClock clock;

  /** With {@code readCommitted}, records of aborted transactions do not count. */
  KafkaRecordProbe(Map<String, Object> properties, boolean readCommitted, MonotonicClock clock) {
    this.uncommitted = consumer(properties, "read_uncommitted");
    this.committed = consumer(properties, "read_committed");
    this.readCommitted = readCommitted;
    this.clock = clock;
  }

  private static OwnConsumer consumer(Map<String, Object> properties, String isolationLevel) {
    return new OwnConsumer(
        properties,
        Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            1,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            isolationLevel));
  }

  synchronized Undelivered look(TopicPartition topicPartition, OffsetRange range, int present)
      throws IOException {
    try {
      // If there are not even uncommitted records, no isolation level returns a record.
      if (!finds(uncommitted, topicPartition, range, present)) {
        return Undelivered.EMPTY;
      }
      return readCommitted
              && stableEnd(topicPartition) >= range.next()
              && !finds(committed, topicPartition, range, present)
          ? Undelivered.EMPTY
          : Undelivered.HAS_RECORDS;
    } catch (OffsetOutOfRangeException e) {
      return Undelivered.GONE;
    } catch (KafkaException e) {
      uncommitted.close();
      committed.close();
      throw OwnRight.readTopic(topicPartition.topic())
          .failure(
              "%s: the consumer failed to find out whether there are records at %s: %s. Until then, the log ends before them"
                  .formatted(topicPartition, range, e.getMessage()),
              e);
    }
  }

  /** Returns the last stable offset; later records may be of open transactions. */
  private long stableEnd(TopicPartition topicPartition) throws KafkaUnavailableException {
    List<TopicPartition> asked = List.of(topicPartition);
    // The consumer logs a warning for results of topic-partitions that are not assigned.
    return committed.assigned(asked).endOffsets(asked, TIMEOUT).getOrDefault(topicPartition, 0L);
  }

  private boolean finds(
      OwnConsumer consumer, TopicPartition topicPartition, OffsetRange range, int present)
      throws IOException {
    KafkaConsumer<byte[], byte[]> reading = consumer.withLeader(topicPartition, present);
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
      } while (!consumer.stopped() && clock.millis() - begunMs < TIMEOUT.toMillis());
    } finally {
      reading.unsubscribe();
    }
    throw new KafkaUnavailableException(
        "%s: the consumer did not find out within %d s whether there are records at %s. Until then, the log ends before them. The task retries."
            .formatted(topicPartition, TIMEOUT.toSeconds(), range));
  }

  @Override
  public void close() {
    uncommitted.stop();
    committed.stop();
    synchronized (this) {
      uncommitted.close();
      committed.close();
    }
  }
}
