package io.tidemark.connect.kafka;

import io.tidemark.store.TopicPartition;
import java.util.Collection;
import java.util.List;

/** Converts topic-partitions to and from the type of Kafka's clients. */
public final class KafkaPartition {

  private KafkaPartition() {}

  public static TopicPartition from(org.apache.kafka.common.TopicPartition topicPartition) {
    return new TopicPartition(topicPartition.topic(), topicPartition.partition());
  }

  public static List<TopicPartition> from(
      Collection<org.apache.kafka.common.TopicPartition> topicPartitions) {
    return topicPartitions.stream().map(KafkaPartition::from).toList();
  }

  public static org.apache.kafka.common.TopicPartition of(TopicPartition topicPartition) {
    return new org.apache.kafka.common.TopicPartition(
        topicPartition.topic(), topicPartition.partition());
  }
}
