package io.tidemark.completeness.ledger;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Kafka's end offsets of a topic: its high watermarks, which include open transactions.
 *
 * @param topicId Kafka's topic id
 * @param ends the end offset of each topic-partition, beginning with 0
 * @param open by topic-partition, where an open transaction begins: no rule depends on it
 */
public record TopicEnds(String topicId, List<Long> ends, SortedMap<Integer, Long> open) {

  public TopicEnds {
    ends = List.copyOf(ends);
    open = Sorted.copyOf(open);
    if (ends.stream().anyMatch(end -> end < 0)) {
      throw new IllegalArgumentException("an end offset cannot be negative: " + ends);
    }
  }

  public TopicEnds withOpen(Map<Integer, Long> transactions) {
    return new TopicEnds(topicId, ends, Sorted.copyOf(transactions));
  }

  /** Returns the end offset of a topic-partition; 0 if the snapshot does not contain it. */
  public long end(int topicPartition) {
    return topicPartition < ends.size() ? ends.get(topicPartition) : 0;
  }
}
