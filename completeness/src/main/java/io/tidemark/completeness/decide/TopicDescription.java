package io.tidemark.completeness.decide;

/** Kafka's description of a topic: its id and its number of topic-partitions. */
public record TopicDescription(String topicId, int topicPartitions) {}
