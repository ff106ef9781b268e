package io.tidemark.connect.pipeline.intake;

import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * The topic-partitions of a topic whose records its tables refuse. While there is such a
 * topic-partition, the whole topic is paused. Called by the task's thread only.
 */
public final class TopicHold {
  private final Set<TopicPartition> refused = new HashSet<>();

  /** Marks a topic-partition as refused. */
  public void refuse(TopicPartition topicPartition) {
    refused.add(topicPartition);
  }

  /** Removes a topic-partition: its records can land now, or it was revoked. */
  public void release(TopicPartition topicPartition) {
    refused.remove(topicPartition);
  }

  /**
   * Returns whether a topic-partition must be paused because another topic-partition is refused.
   */
  public boolean holds(TopicPartition topicPartition) {
    return !refused.isEmpty() && !refused.contains(topicPartition);
  }
}
