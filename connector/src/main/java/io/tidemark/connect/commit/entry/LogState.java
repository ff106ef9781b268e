package io.tidemark.connect.commit.entry;

import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.batch.RecordCounts;
import java.util.List;

/**
 * Where a topic-partition's log stands after an entry. Every entry carries it, so that the last one
 * tells what an owner needs to know, and the account of the whole generation.
 *
 * @param first the first offset of the generation, or {@link #UNKNOWN} while there is no batch
 * @param next the first offset that no entry covers, or {@link #UNKNOWN}: begin where the consumer
 *     group stands
 * @param counts how many offsets from {@code first} up to {@code next} are in each class
 * @param publishedThrough the files of all entries up to this number were seen in their tables
 * @param registeredThrough the Hive partitions of all entries up to this number were seen in the
 *     catalog
 * @param requires features that a reader must know; see {@link CommitEntryFormat}
 * @param unknown fields of a newer version, which every later entry keeps
 */
public record LogState(
    Generation generation,
    long first,
    long next,
    RecordCounts counts,
    long publishedThrough,
    long registeredThrough,
    List<String> requires,
    UnknownFields unknown) {

  /** No batch has been committed in this generation. */
  public static final long UNKNOWN = -1;

  public LogState {
    requires = List.copyOf(requires);
    if (first < UNKNOWN
        || (first == UNKNOWN) != (next == UNKNOWN)
        || counts.total() != next - first
        || publishedThrough < 0
        || registeredThrough < 0) {
      throw new IllegalArgumentException(
          "not a state of a log: offsets from "
              + first
              + " to "
              + next
              + ", "
              + counts
              + ", published through "
              + publishedThrough
              + ", registered through "
              + registeredThrough);
    }
  }

  /** The state before the first entry. */
  public static LogState initial(TopicIdentity topic) {
    return new LogState(
        new Generation(1, topic.clusterId(), topic.topicId()),
        UNKNOWN,
        UNKNOWN,
        RecordCounts.NONE,
        0,
        0,
        List.of(),
        UnknownFields.NONE);
  }

  /**
   * This state for a topic: unchanged when it is still the same, else the start of the next
   * generation.
   */
  public LogState forTopic(TopicIdentity topic) {
    return generation.isOf(topic)
        ? this
        : new LogState(
            new Generation(generation.number() + 1, topic.clusterId(), topic.topicId()),
            UNKNOWN,
            UNKNOWN,
            RecordCounts.NONE,
            publishedThrough,
            registeredThrough,
            requires,
            unknown);
  }

  /** The state after the offsets of a range, in their classes. */
  public LogState after(OffsetRange range, RecordCounts more) {
    return new LogState(
        generation,
        first == UNKNOWN ? range.first() : first,
        range.next(),
        counts.plus(more),
        publishedThrough,
        registeredThrough,
        requires,
        unknown);
  }

  public LogState withProgress(long published, long registered) {
    return new LogState(generation, first, next, counts, published, registered, requires, unknown);
  }
}
