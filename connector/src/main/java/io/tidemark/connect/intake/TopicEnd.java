package io.tidemark.connect.intake;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.LogState;
import io.tidemark.store.commit.NoSuchTopicException;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The end of the topic of a log's present generation. No task can read its records again: those
 * that were delivered land in this generation, or count as lost in it.
 */
public final class TopicEnd {
  private TopicEnd() {}

  /**
   * Returns the end offset of the topic that has replaced a log's topic in the same cluster; 0 if
   * there is no such topic-partition now. A record that was delivered earlier, at this offset or
   * above it, cannot be of the present topic, so no later generation lands it again. Returns empty
   * if the topic is the same, was replaced before the log's generation, or is of another cluster.
   *
   * @throws IOException if Kafka does not respond or its brokers disagree: retry
   */
  public static OptionalLong followedBy(
      TopicMetadata topics, TopicPartition topicPartition, LogState state) throws IOException {
    Optional<TopicIdentity> now = present(topics, topicPartition);
    if (now.isEmpty()) {
      return OptionalLong.of(0);
    }
    TopicIdentity identity = now.get();
    if (state.generation().isOf(identity)
        || state.former().contains(identity)
        || !state.generation().clusterId().equals(identity.clusterId())) {
      return OptionalLong.empty();
    }
    TopicIdentity agreed = topics.agreedIdentity(topicPartition.topic());
    if (!identity.equals(agreed)) {
      throw new KafkaUnavailableException(
          "%s: brokers return different topic ids (%s, %s), because the topic was recreated. The task asks them again."
              .formatted(topicPartition, identity.topicId(), agreed.topicId()));
    }
    return OptionalLong.of(topics.greatestEnd(topicPartition));
  }

  /** Returns the topic's identity; empty if brokers agree that the topic was deleted. */
  public static Optional<TopicIdentity> present(TopicMetadata topics, TopicPartition topicPartition)
      throws IOException {
    try {
      return Optional.of(topics.identity(topicPartition.topic()));
    } catch (NoSuchTopicException e) {
      if (topics.gone(topicPartition)) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
