package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The counted records of a batch.
 *
 * @param since when the ledger counted the first record of the batch or read its announcement,
 *     whichever was earlier, according to the reckoner's clock
 * @param last when the ledger counted the last record so far
 */
public record CountedBatch(Instant since, Instant last, SortedMap<String, BatchTally> topics) {

  public CountedBatch {
    topics = Sorted.copyOf(topics);
    if (last.isBefore(since)) {
      throw new IllegalArgumentException(
          "last must not be before since: counted from %s to %s".formatted(since, last));
    }
  }

  public static CountedBatch none(Instant now) {
    return new CountedBatch(now, now, Sorted.none());
  }

  public CountedBatch plus(String topic, BatchTally more, Instant now) {
    SortedMap<String, BatchTally> all = new TreeMap<>(topics);
    all.merge(topic, more, BatchTally::plus);
    return new CountedBatch(since, now.isBefore(last) ? last : now, all);
  }

  public CountedBatch ofTopics(Set<String> some) {
    SortedMap<String, BatchTally> kept = new TreeMap<>(topics);
    kept.keySet().retainAll(some);
    return new CountedBatch(since, last, kept);
  }

  public CountedBatch without(String topic) {
    SortedMap<String, BatchTally> kept = new TreeMap<>(topics);
    kept.remove(topic);
    return new CountedBatch(since, last, kept);
  }

  public BatchTally of(String topic) {
    return topics.getOrDefault(topic, BatchTally.NONE);
  }
}
