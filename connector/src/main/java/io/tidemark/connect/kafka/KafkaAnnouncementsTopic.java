package io.tidemark.connect.kafka;

import io.tidemark.completeness.decide.TopicDescription;
import io.tidemark.completeness.reckon.AnnouncementsTopic;
import io.tidemark.completeness.reckon.EndOffsets;
import io.tidemark.store.MonotonicClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads announcements of batches with a separate consumer, which has no group and reads committed
 * records only. The consumer is used only if the admin client's end offsets show unread records. It
 * needs READ on the topic. Not thread-safe, but any thread may close it.
 */
public final class KafkaAnnouncementsTopic implements AnnouncementsTopic {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final long LOOK_MS = 5_000;
  private static final int RECORDS_MOST = 1_000;

  /** The maximum size of one read, in bytes; an announcement may have up to 1 MiB. */
  private static final long BYTES_MOST = 8L << 20;

  private static final int FETCH_BYTES_MOST = 4 << 20;

  private final String topic;
  private final EndOffsets description;
  private final OwnConsumer consumer;
  private final MonotonicClock clock;

  /** The topic-partitions that were reported as ending before the position. */
  private final Set<TopicPartition> cut = new HashSet<>();

  /** {@code description} returns the topic's id and end offsets; this class does not close it. */
  public KafkaAnnouncementsTopic(
      String topic, EndOffsets description, Map<String, Object> properties, MonotonicClock clock) {
    this.topic = topic;
    this.description = description;
    this.consumer =
        new OwnConsumer(
            properties,
            Map.of(
                ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG, RECORDS_MOST,
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES_MOST,
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES_MOST));
    this.clock = clock;
  }

  @Override
  public synchronized Optional<Read> read(String topicId, List<Long> position) throws IOException {
    EndOffsets.Answers answers = description.ask(List.of(topic), false);
    if (answers.refused().contains(topic) || answers.unreadable().contains(topic)) {
      throw new IOException(
          "the topic %s of completeness.batches.topic cannot be read, because the right is missing. %s"
              .formatted(topic, OwnRight.readTopic(topic).cure()));
    }
    TopicDescription now = answers.after().get(0).get(topic);
    if (now == null || !now.equals(answers.before().get(topic))) {
      throw new IOException(
          "the topic %s of completeness.batches.topic does not exist, or is being created. Create it, or correct its name."
              .formatted(topic));
    }
    List<String> warnings = new ArrayList<>();
    boolean same = now.topicId().equals(topicId);
    if (!same && !topicId.isEmpty()) {
      warnings.add(
          "The topic %s was recreated (id %s, before %s): announcements of batches are read from its beginning."
              .formatted(topic, now.topicId(), topicId));
    }
    List<Long> ends = answers.ends().get(topic);
    if (ends == null) {
      throw new IOException(
          "the topic %s of completeness.batches.topic has a topic-partition without a leader. Check its brokers."
              .formatted(topic));
    }
    try {
      return read(
          now,
          same ? position : List.of(),
          new Reading(
              new HashMap<>(),
              stable(ends, answers.open().getOrDefault(topic, Map.of())),
              warnings));
    } catch (InterruptException e) {
      throw new IOException("the connector is stopping", e);
    } catch (KafkaException e) {
      String problem =
          "%s: the announcements of batches could not be read from Kafka: %s"
              .formatted(topic, e.getMessage());
      throw new IOException(OwnRight.readTopic(topic).message(problem, e), e);
    }
  }

  /** Returns the ends of the readable committed records: up to the first open transaction. */
  private Map<TopicPartition, Long> stable(List<Long> ends, Map<Integer, Long> open) {
    Map<TopicPartition, Long> stable = new HashMap<>();
    for (int each = 0; each < ends.size(); each++) {
      stable.put(new TopicPartition(topic, each), open.getOrDefault(each, ends.get(each)));
    }
    return stable;
  }

  /** A read: the next offset and the end of each topic-partition, and the warnings so far. */
  private record Reading(
      Map<TopicPartition, Long> next, Map<TopicPartition, Long> ends, List<String> warnings) {

    long at(TopicPartition topicPartition) {
      return Objects.requireNonNull(next.get(topicPartition));
    }

    long end(TopicPartition topicPartition) {
      return ends.getOrDefault(topicPartition, 0L);
    }

    boolean isBehind(TopicPartition topicPartition) {
      return at(topicPartition) < end(topicPartition);
    }
  }

  private Optional<Read> read(TopicDescription now, List<Long> position, Reading reading)
      throws IOException {
    List<TopicPartition> all = new ArrayList<>();
    for (int each = 0; each < now.topicPartitions(); each++) {
      TopicPartition topicPartition = new TopicPartition(topic, each);
      all.add(topicPartition);
      reading.next().put(topicPartition, each < position.size() ? position.get(each) : 0L);
    }
    List<TopicPartition> behind = all.stream().filter(reading::isBehind).toList();
    List<Sent> records = behind.isEmpty() ? List.of() : read(behind, reading);
    all.forEach(each -> warnIfCut(each, reading));
    List<Long> after = all.stream().map(reading::at).toList();
    return after.equals(position) && reading.warnings().isEmpty()
        ? Optional.empty()
        : Optional.of(new Read(now.topicId(), after, records, reading.warnings()));
  }

  /** Assigns the topic-partitions first: otherwise requests of offsets log a warning. */
  private List<Sent> read(List<TopicPartition> behind, Reading reading) throws IOException {
    if (consumer.stopped()) {
      throw new IOException("the connector is stopping");
    }
    KafkaConsumer<byte[], byte[]> assigned = consumer.assigned(behind);
    try {
      Map<TopicPartition, Long> first = assigned.beginningOffsets(behind, TIMEOUT);
      for (TopicPartition each : behind) {
        long begin = first.getOrDefault(each, 0L);
        long known = reading.at(each);
        if (known < begin && known > 0) {
          reading
              .warnings()
              .add(
                  "%s: Kafka deleted the announcements from offset %d up to %d before they were read; reading continues after them. Their batches will not become complete: announce them again, and give the topic a longer retention."
                      .formatted(each, known, begin));
        }
        reading.next().put(each, Math.max(known, begin));
        assigned.seek(each, reading.at(each));
      }
      return records(assigned, behind, reading);
    } finally {
      assigned.unsubscribe();
    }
  }

  private List<Sent> records(
      KafkaConsumer<byte[], byte[]> assigned, List<TopicPartition> behind, Reading reading) {
    List<Sent> records = new ArrayList<>();
    long begunMs = clock.millis();
    long bytes = 0;
    while (behind.stream().anyMatch(reading::isBehind)
        && records.size() < RECORDS_MOST
        && bytes < BYTES_MOST
        && !consumer.stopped()
        && clock.millis() - begunMs < LOOK_MS) {
      for (ConsumerRecord<byte[], byte[]> record : assigned.poll(POLL)) {
        records.add(sent(record));
        bytes += Math.max(0, record.serializedValueSize());
      }
      for (TopicPartition each : behind) {
        reading.next().put(each, assigned.position(each, TIMEOUT));
      }
    }
    return records;
  }

  /**
   * Warns of an end offset below the position. The position never decreases, so new records are
   * read only after the end offset has passed the position.
   */
  private void warnIfCut(TopicPartition of, Reading reading) {
    if (reading.at(of) <= reading.end(of)) {
      cut.remove(of);
    } else if (cut.add(of)) {
      reading
          .warnings()
          .add(
              "%s: announcements were read up to offset %d, but the topic-partition now ends at %d. Kafka has lost announcements, or its answer is outdated. New announcements before that offset are not read: announce their batches again."
                  .formatted(of, reading.at(of), reading.end(of)));
    }
  }

  private static Sent sent(ConsumerRecord<byte[], byte[]> record) {
    return new Sent(
        record.topic() + "-" + record.partition() + "@" + record.offset(),
        Instant.ofEpochMilli(record.timestamp()),
        Optional.ofNullable(record.key()),
        Optional.ofNullable(record.value()));
  }

  /** Closes the consumer. A read in another thread is aborted and fails. */
  @Override
  public void close() {
    consumer.stop();
    synchronized (this) {
      consumer.close();
    }
  }
}
