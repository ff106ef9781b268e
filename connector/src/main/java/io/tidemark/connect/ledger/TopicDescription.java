package io.tidemark.connect.ledger;

/** What Kafka says of a topic: its id, and how many topic-partitions it has. */
public record TopicDescription(String topicId, int topicPartitions) {}
