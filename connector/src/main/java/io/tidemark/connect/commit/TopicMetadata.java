package io.tidemark.connect.commit;

import io.tidemark.connect.commit.entry.TopicIdentity;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;

/**
 * What Kafka says of topics: a port. Every call may wait for Kafka; an {@link IOException} means:
 * try again.
 */
public interface TopicMetadata extends AutoCloseable {

  /** The cluster and the topic's id, by which a topic is told from a later one of the same name. */
  TopicIdentity identity(String topic) throws IOException;

  /** The offsets that Kafka retains of a topic-partition now. */
  RetainedOffsets retainedOffsets(TopicPartition topicPartition) throws IOException;

  /**
   * The offset that the connector's consumer group has committed; empty while it has committed
   * none. An {@link IOException} may also mean that we are not allowed to see it.
   */
  OptionalLong groupOffset(TopicPartition topicPartition) throws IOException;

  @Override
  void close();

  /**
   * The offsets that Kafka retains.
   *
   * @param earliest the first offset that is still there
   * @param end one past the last offset
   */
  record RetainedOffsets(long earliest, long end) {}
}
