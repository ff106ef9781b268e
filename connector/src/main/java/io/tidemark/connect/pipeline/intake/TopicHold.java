package io.tidemark.connect.pipeline.intake;

import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * Which topic-partitions of a topic are refused by its tables. While there is one, the topic's
 * others are not read. Used by the task's thread only.
 */
public final class TopicHold {
  private final Set<TopicPartition> refused = new HashSet<>();

  /** A topic-partition is refused now. */
  public void refuse(TopicPartition topicPartition) {
    refused.add(topicPartition);
  }

  /** What was refused can land, or the topic-partition is another task's. */
  public void release(TopicPartition topicPartition) {
    refused.remove(topicPartition);
  }

  /** A topic-partition is not to be read because another one is refused. */
  public boolean holds(TopicPartition topicPartition) {
    return !refused.isEmpty() && !refused.contains(topicPartition);
  }
}
