package io.tidemark.completeness.decide;

import java.util.List;

/** Kafka's description of a topic: its id and topic-partitions, and the broker that leads each. */
public record TopicDescription(String topicId, int topicPartitions, List<Integer> leaders) {}
