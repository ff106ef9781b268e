package io.tidemark.connect.kafka;

import io.tidemark.store.commit.TopicIdentity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;

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
    OwnRight needed = OwnRight.describeTopic(topic);
    String cluster = RenewedAdmin.await(clusterId, "the cluster id", needed);
    TopicDescription description =
        RenewedAdmin.await(described, "the id of topic " + topic, needed).get(topic);
    return new TopicIdentity(cluster, Objects.requireNonNull(description).topicId().toString());
  }
}
