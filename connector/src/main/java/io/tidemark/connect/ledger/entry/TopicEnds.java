package io.tidemark.connect.ledger.entry;

import io.tidemark.connect.ledger.account.Sorted;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Kafka's end offsets of a topic: the high watermarks, so those of open transactions count.
 *
 * @param topicId Kafka's topic id
 * @param ends by topic-partition, beginning with 0
 * @param open by topic-partition, where a transaction was open: the offset at which it begins. Only
 *     for people: no rule depends on it
 */
public record TopicEnds(String topicId, List<Long> ends, SortedMap<Integer, Long> open) {

  /** End offsets of a topic without open transactions. */
  public TopicEnds(String topicId, List<Long> ends) {
    this(topicId, ends, Sorted.none());
  }

  public TopicEnds {
    ends = List.copyOf(ends);
    open = Sorted.copyOf(open);
    if (ends.stream().anyMatch(end -> end < 0)) {
      throw new IllegalArgumentException("an end offset cannot be negative: " + ends);
    }
  }

  /** These end offsets, with the transactions that were open. */
  public TopicEnds withOpen(Map<Integer, Long> transactions) {
    return new TopicEnds(topicId, ends, Sorted.copyOf(transactions));
  }

  /** The end offset of a topic-partition; 0 where the snapshot does not name it. */
  public long end(int topicPartition) {
    return topicPartition < ends.size() ? ends.get(topicPartition) : 0;
  }
}
