package io.tidemark.connect.faults;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The records that {@link SimulatedKafka} had at each time, and the reasons why it no longer has
 * some of them.
 */
final class RecordHistory {
  private final LongSupplier nowMs;
  private final Map<String, List<Held>> byTopic = new HashMap<>();
  private final Map<String, Held> byKey = new LinkedHashMap<>();
  private final List<TakenBack> takenBack = new ArrayList<>();

  RecordHistory(LongSupplier nowMs) {
    this.nowMs = nowMs;
  }

  /** The way in which Kafka lost a record. */
  enum Fate {
    /** Kafka still has the record. */
    HELD,
    COMPACTED,
    RETAINED_AWAY,
    /** Lost by an unclean leader election. */
    TRUNCATED,
    /** Lost when its topic was deleted. */
    DELETED
  }

  /** A record, with the times at which it was produced and lost. */
  static final class Held {
    private final TopicPartition topicPartition;
    private final int life;
    private final SourceRecord record;
    private final long producedMs;
    private long goneMs = Long.MAX_VALUE;
    private long readMs = Long.MIN_VALUE;
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

    /** The time at which Kafka accepted it. */
    long producedMs() {
      return producedMs;
    }

    /** The latest time at which a task read it, by the clock of the task's host. */
    long readMs() {
      return readMs;
    }

    /** The number of the topic's life in which it was produced. */
    int life() {
      return life;
    }

    SourceRecord record() {
      return record;
    }

    Fate fate() {
      return fate;
    }

    boolean isGoneBefore(long timeMs) {
      return goneMs < timeMs;
    }

    /** True if Kafka had the record at the beginning of this millisecond. */
    boolean heldAt(long timeMs) {
      return producedMs < timeMs && timeMs <= goneMs;
    }

    /**
     * True if Kafka had accepted the record before this time, and has not deleted it as too old.
     */
    boolean acceptedBefore(long timeMs) {
      return heldAt(timeMs) || (producedMs < timeMs && fate == Fate.DELETED);
    }

    @Override
    public String toString() {
      return "%s of %d (%s, %s at %d)"
          .formatted(record.key(), producedMs, record.kind(), fate, goneMs);
    }
  }

  /** Offsets that an unclean leader election truncated, with or without a record. */
  private record TakenBack(TopicPartition topicPartition, int life, OffsetRange offsets) {}

  void takenBack(TopicPartition topicPartition, int life, long from, long end) {
    if (from < end) {
      takenBack.add(new TakenBack(topicPartition, life, new OffsetRange(from, end)));
    }
  }

  /** True if offsets of a topic-partition were truncated, in any life of its topic. */
  boolean isTruncated(TopicPartition topicPartition) {
    return takenBack.stream().anyMatch(each -> each.topicPartition.equals(topicPartition));
  }

  /** True if the record has an offset that an earlier record had before a truncation. */
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

  /** A task has read a record, by the clock of its host. */
  void readAt(SourceRecord record, long timeMs) {
    Held held = byKey.get(record.key());
    if (held != null) {
      held.readMs = Math.max(held.readMs, timeMs);
    }
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

  /** The record that was produced with a key. */
  Optional<Held> find(String key) {
    return Optional.ofNullable(byKey.get(key));
  }

  /** All records that were ever in a topic, in the order in which they were produced. */
  List<Held> of(String topic) {
    return byTopic.getOrDefault(topic, List.of());
  }
}
