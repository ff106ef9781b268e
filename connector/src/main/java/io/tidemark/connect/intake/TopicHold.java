package io.tidemark.connect.intake;

import io.tidemark.store.TopicPartition;
import java.util.HashSet;
import java.util.Set;

/**
 * The refused topic-partitions of one topic: the topic's tables refuse their records. While there
 * is a refused topic-partition, the whole topic is paused. Called by the task's thread only.
 */
public final class TopicHold {
  private final Set<TopicPartition> refused = new HashSet<>();

  public void refuse(TopicPartition topicPartition) {
    refused.add(topicPartition);
  }

  /** Removes a topic-partition: its records can land now, or it was revoked. */
  public void release(TopicPartition topicPartition) {
    refused.remove(topicPartition);
  }

  /** Returns whether a topic-partition must be paused because another one is refused. */
  public boolean holds(TopicPartition topicPartition) {
    return !refused.isEmpty() && !refused.contains(topicPartition);
  }
}
