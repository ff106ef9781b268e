package io.tidemark.connect.commit;

import io.tidemark.connect.batch.OffsetRange;
import io.tidemark.connect.commit.entry.LogState;
import io.tidemark.connect.commit.entry.TopicIdentity;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * What Kafka says of topics: a port. Every call may wait for Kafka; an {@link IOException} means:
 * try again.
 */
public interface TopicMetadata extends AutoCloseable {

  /** The cluster and the topic's id, by which a topic is told from a later one of the same name. */
  TopicIdentity identity(String topic) throws IOException;

  /**
   * As {@link #identity}, asked of several brokers: one alone may not have learned yet that the
   * topic was made again.
   *
   * @throws IOException they do not agree, or one of them does not answer
   */
  TopicIdentity agreedIdentity(String topic) throws IOException;

  /** The offsets that Kafka retains of a topic-partition now. */
  RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException;

  /**
   * One past the last offset of each topic-partition, open transactions included, in one question.
   * Those of which Kafka does not tell it are left out.
   */
  Map<TopicPartition, Long> ends(Set<TopicPartition> topicPartitions) throws IOException;

  /** What offsets hold, all of them below the end offset, that a task was not given. */
  Tail tail(TopicPartition topicPartition, OffsetRange offsets) throws IOException;

  /** What offsets hold that a task was not given. */
  enum Tail {
    /** No record that a task could be given, now or later. */
    EMPTY,
    /** A record, which may be of an open transaction. */
    HAS_RECORDS,
    /** It is not known: Kafka does not say. */
    UNKNOWN,
    /** It is not known: Kafka no longer retains the first of them. */
    GONE
  }

  /**
   * Whether the records before an offset are still those that a leader epoch knew. After an unclean
   * leader election Kafka may have truncated them, and others may stand at their offsets now.
   *
   * @param next the offset before which records were read
   * @param leaderEpoch an epoch in which they were there; from 0
   * @return the first offset whose record is another one now; empty where none is
   */
  OptionalLong truncatedAt(TopicPartition topicPartition, long next, int leaderEpoch)
      throws IOException;

  /**
   * The offset that the connector's consumer group has committed; empty while it has committed
   * none. An {@link IOException} may also mean that we are not allowed to see it.
   */
  Optional<GroupOffset> groupOffset(TopicPartition topicPartition) throws IOException;

  @Override
  void close();

  /** An offset that a consumer group has committed, with the text that was committed with it. */
  record GroupOffset(long offset, String metadata) {}

  /**
   * The offsets that Kafka retains.
   *
   * @param earliest the first offset that is still there
   * @param end one past the last offset
   * @param leaderEpoch the leader epoch in which that was so; {@link LogState#UNKNOWN} where Kafka
   *     does not tell it
   */
  record RetainedOffsets(long earliest, long end, int leaderEpoch) {}
}
