package io.tidemark.connect.faults;

import io.tidemark.connect.batch.OffsetRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Which records {@link SimulatedKafka} held at which time, and how it lost those that it no longer
 * holds.
 */
final class RecordHistory {
  private final LongSupplier nowMs;
  private final Map<String, List<Held>> byTopic = new HashMap<>();
  private final Map<String, Held> byKey = new LinkedHashMap<>();
  private final List<TakenBack> takenBack = new ArrayList<>();

  RecordHistory(LongSupplier nowMs) {
    this.nowMs = nowMs;
  }

  /** How a record went. */
  enum Fate {
    /** It did not. */
    HELD,
    COMPACTED,
    RETAINED_AWAY,
    /** By an unclean election. */
    TRUNCATED,
    /** Its topic was deleted. */
    DELETED
  }

  /** A record from when it was produced until it went. */
  static final class Held {
    private final TopicPartition topicPartition;
    private final int life;
    private final SourceRecord record;
    private final long producedMs;
    private long goneMs = Long.MAX_VALUE;
    private Fate fate = Fate.HELD;

    private Held(TopicPartition topicPartition, int life, SourceRecord record, long producedMs) {
      this.topicPartition = topicPartition;
      this.life = life;
      this.record = record;
      this.producedMs = producedMs;
    }

    TopicPartition topicPartition() {
      return topicPartition;
    }

    /** When Kafka took it. */
    long producedMs() {
      return producedMs;
    }

    /** In which of its topic's lives it was produced. */
    int life() {
      return life;
    }

    SourceRecord record() {
      return record;
    }

    Fate fate() {
      return fate;
    }

    /** Whether Kafka held it at the beginning of a millisecond. */
    boolean heldAt(long timeMs) {
      return producedMs < timeMs && timeMs <= goneMs;
    }

    @Override
    public String toString() {
      return "%s of %d (%s, %s at %d)"
          .formatted(record.key(), producedMs, record.kind(), fate, goneMs);
    }
  }

  /** Offsets that an unclean election took back, with or without a record. */
  private record TakenBack(TopicPartition topicPartition, int life, OffsetRange offsets) {}

  void takenBack(TopicPartition topicPartition, int life, long from, long end) {
    if (from < end) {
      takenBack.add(new TakenBack(topicPartition, life, new OffsetRange(from, end)));
    }
  }

  /** Whether a record has an offset that an unclean election had taken back. */
  boolean tookOffsetAgain(Held held) {
    return takenBack.stream()
        .anyMatch(
            each ->
                each.topicPartition.equals(held.topicPartition)
                    && each.life == held.life
                    && each.offsets.contains(held.record.offset()));
  }

  void produced(TopicPartition topicPartition, int life, SourceRecord record) {
    Held held = new Held(topicPartition, life, record, nowMs.getAsLong());
    byTopic.computeIfAbsent(topicPartition.topic(), topic -> new ArrayList<>()).add(held);
    byKey.put(record.key(), held);
  }

  void gone(Iterable<SourceRecord> records, Fate fate) {
    for (SourceRecord record : records) {
      Held held = byKey.get(record.key());
      if (held != null && held.fate == Fate.HELD) {
        held.fate = fate;
        held.goneMs = nowMs.getAsLong();
      }
    }
  }

  /** All records of a topic that there ever were, in the order in which they were produced. */
  List<Held> of(String topic) {
    return byTopic.getOrDefault(topic, List.of());
  }
}
