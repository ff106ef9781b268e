package io.tidemark.connect.pipeline;

import io.tidemark.connect.commit.OwnedLog;
import io.tidemark.connect.commit.TopicMetadata;
import io.tidemark.connect.commit.entry.TopicIdentity;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/** The topic of a claim, for as long as the claim is wanted. */
record WantedTopic(TopicMetadata topics, TopicPartition topicPartition, BooleanSupplier wanted)
    implements OwnedLog.Topic {

  @Override
  public TopicIdentity identity() throws IOException {
    if (!wanted.getAsBoolean()) {
      throw new CancellationException(topicPartition + ": the claim is not wanted any more");
    }
    TopicIdentity topic = topics.identity(topicPartition.topic());
    if (!topic.known()) {
      throw new LandingException(
          topicPartition
              + ": Kafka has no id for the topic (cluster \""
              + topic.clusterId()
              + "\", topic id \""
              + topic.topicId()
              + "\"), so records of a topic that is deleted and made again would be taken for landed ones. Topics have "
              + "ids since Kafka 2.8, with ZooKeeper once inter.broker.protocol.version is 2.8 or later. Upgrade the "
              + "brokers.");
    }
    return topic;
  }

  @Override
  public TopicIdentity agreed() throws IOException {
    return topics.agreedIdentity(topicPartition.topic());
  }
}
