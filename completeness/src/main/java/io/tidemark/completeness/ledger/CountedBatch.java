package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

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

  public CountedBatch withoutTopics(Predicate<String> left) {
    SortedMap<String, BatchTally> kept = new TreeMap<>(topics);
    kept.keySet().removeIf(left);
    return new CountedBatch(since, last, kept);
  }

  public BatchTally of(String topic) {
    return topics.getOrDefault(topic, BatchTally.NONE);
  }
}
