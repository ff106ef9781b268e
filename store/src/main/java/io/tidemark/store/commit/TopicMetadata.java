package io.tidemark.store.commit;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.OffsetRange;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Topics in Kafka. Calls may wait for Kafka. An {@link IOException} means: retry. */
public interface TopicMetadata extends AutoCloseable {

  /** Throws a {@link NoSuchTopicException} if the broker has no topic of this name. */
  TopicIdentity identity(String topic) throws IOException;

  /** Returns the {@link #identity} on which several brokers agree: one may be outdated. */
  TopicIdentity agreedIdentity(String topic) throws IOException;

  /**
   * Returns whether several brokers agree that there is no such topic-partition: its topic was
   * deleted, or recreated with fewer topic-partitions.
   */
  boolean gone(TopicPartition topicPartition) throws IOException;

  /** Sends two requests: a deposed leader, which some brokers still name, may answer one. */
  RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException;

  /** Returns offsets of which the first proves what was deleted if the epoch is {@code present}. */
  default RetainedOffsets retainedOffsets(TopicPartition topicPartition, int present)
      throws IOException {
    RetainedOffsets before = retainedOffsets(topicPartition);
    if (present == LogState.UNKNOWN || before.leaderEpoch() != present) {
      return before; // A recreated topic may have no such epoch, so do not wait for its leader.
    }
    long earliest = earliest(topicPartition, present);
    RetainedOffsets after = retainedOffsets(topicPartition);
    return new RetainedOffsets(earliest, after.end(), after.leaderEpoch());
  }

  /** Returns the first retained offset; for {@code present} see {@link #undelivered}. */
  long earliest(TopicPartition topicPartition, int present) throws IOException;

  /** Returns the greatest end offset of several brokers' answers; 0 if it is {@link #gone}. */
  long greatestEnd(TopicPartition topicPartition) throws IOException;

  /** Returns the end offsets, including open transactions; those that Kafka lacks are omitted. */
  Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException;

  /**
   * Looks for records at offsets below the end offset that were not delivered to a task. Leaders of
   * epochs before {@code present}, from 0 or unknown, are not asked: they may be deposed.
   */
  Undelivered undelivered(TopicPartition topicPartition, OffsetRange offsets, int present)
      throws IOException;

  enum Undelivered {
    /** No record that could be delivered to a task, now or later. */
    EMPTY,
    /** A record, which may be of an open transaction. */
    HAS_RECORDS,
    /** Not known: Kafka does not respond. */
    UNKNOWN,
    /** Not known: Kafka no longer retains the first of the offsets. */
    GONE
  }

  /**
   * Checks whether the records before {@code next} still exist as they were in a leader epoch, from
   * 0. After an unclean leader election Kafka may have truncated them and reused their offsets.
   * Returns the first offset whose record has changed; empty if there is none. For {@code present}
   * see {@link #undelivered}.
   */
  OptionalLong truncatedAt(TopicPartition topicPartition, long next, int leaderEpoch, int present)
      throws IOException;

  /** Returns the offset that the consumer group has committed; empty if it has committed none. */
  Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException;

  @Override
  void close();

  record GroupOffset(long offset, String metadata) {}

  /** From the first retained offset to the last plus one; the epoch may be unknown. */
  record RetainedOffsets(long earliest, long end, int leaderEpoch) {}
}
