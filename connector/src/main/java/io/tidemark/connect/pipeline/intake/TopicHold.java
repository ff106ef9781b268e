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

  /** Records that a topic-partition is refused. */
  public void refuse(TopicPartition topicPartition) {
    refused.add(topicPartition);
  }

  /** Records that refused records can land now, or that the topic-partition was revoked. */
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
