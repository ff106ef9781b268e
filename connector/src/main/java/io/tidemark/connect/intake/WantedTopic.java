package io.tidemark.connect.intake;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.OwnedLog;
import io.tidemark.store.commit.TopicIdentity;
import io.tidemark.store.commit.TopicMetadata;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests the topic's id from Kafka for the claims of a session. Throws once the session is not
 * {@code wanted}. Stores the first id, to detect that the topic was recreated: the consumer's
 * position may be an offset of the earlier topic. Not thread-safe.
 */
public final class WantedTopic implements OwnedLog.Topic {
  private final TopicMetadata topics;
  private final TopicPartition topicPartition;
  private final BooleanSupplier wanted;
  private volatile @Nullable TopicIdentity atFirst;

  public WantedTopic(TopicMetadata topics, TopicPartition topicPartition, BooleanSupplier wanted) {
    this.topics = topics;
    this.topicPartition = topicPartition;
    this.wanted = wanted;
  }

  /** Reads the topic's first id. Call this method before all others. */
  void remember() throws IOException {
    if (atFirst == null) {
      atFirst = topics.identity(topicPartition.topic());
    }
  }

  @Override
  public TopicIdentity identity() throws IOException {
    if (!wanted.getAsBoolean()) {
      throw new CancellationException(topicPartition + ": the claim is no longer wanted");
    }
    TopicIdentity topic = topics.identity(topicPartition.topic());
    if (!topic.known()) {
      throw new LandingException(
          topicPartition
              + ": Kafka has no id for the topic (cluster \""
              + topic.clusterId()
              + "\", topic id \""
              + topic.topicId()
              + "\"), so new records of a recreated topic would be skipped as if they had landed. Topics have "
              + "ids since Kafka 2.8, with ZooKeeper once inter.broker.protocol.version is 2.8 or later. Upgrade the "
              + "brokers.");
    }
    return topic;
  }

  @Override
  public TopicIdentity agreed() throws IOException {
    return topics.agreedIdentity(topicPartition.topic());
  }

  @Override
  public boolean recreatedSincePositioned(TopicIdentity now) {
    return !now.equals(atFirst);
  }

  @Override
  public long firstOffset() throws IOException {
    return topics.retainedOffsets(topicPartition).earliest();
  }
}
