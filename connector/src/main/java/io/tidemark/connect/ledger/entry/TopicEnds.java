package io.tidemark.connect.ledger.entry;

import java.util.List;

/**
 * Kafka's end offsets of a topic: the high watermarks, so those of open transactions count.
 *
 * @param topicId Kafka's topic id
 * @param ends by topic-partition, beginning with 0
 */
public record TopicEnds(String topicId, List<Long> ends) {

  public TopicEnds {
    ends = List.copyOf(ends);
    if (ends.stream().anyMatch(end -> end < 0)) {
      throw new IllegalArgumentException("an end offset cannot be negative: " + ends);
    }
  }

  /** The end offset of a topic-partition; 0 where the snapshot does not name it. */
  public long end(int topicPartition) {
    return topicPartition < ends.size() ? ends.get(topicPartition) : 0;
  }
}
