package io.tidemark.connect.kafka;

import io.tidemark.store.commit.KafkaUnavailableException;
import io.tidemark.store.commit.NoSuchTopicException;
import io.tidemark.store.commit.TopicIdentity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A pending request for the identity of a topic. */
final class IdentityQuestion {
  private final String topic;
  private final KafkaFuture<String> clusterId;
  private final KafkaFuture<Map<String, TopicDescription>> described;

  /** Sends the request without waiting. */
  IdentityQuestion(Admin admin, String topic) {
    this.topic = topic;
    this.clusterId = admin.describeCluster().clusterId();
    this.described = admin.describeTopics(List.of(topic)).allTopicNames();
  }

  TopicIdentity answer() throws IOException {
    String cluster = RenewedAdmin.await(clusterId, "the cluster id", OwnRight.describeTopic(topic));
    return new TopicIdentity(cluster, description().topicId().toString());
  }

  /** Returns the number of the topic's topic-partitions; 0 if there is no such topic. */
  int topicPartitions() throws IOException {
    try {
      return description().partitions().size();
    } catch (NoSuchTopicException e) {
      return 0;
    }
  }

  private TopicDescription description() throws IOException {
    try {
      return Objects.requireNonNull(
          RenewedAdmin.await(described, "the id of topic " + topic, OwnRight.describeTopic(topic))
              .get(topic));
    } catch (KafkaUnavailableException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        throw new NoSuchTopicException(String.valueOf(e.getMessage()), e.getCause());
      }
      throw e;
    }
  }
}
