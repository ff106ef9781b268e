package io.tidemark.connect.ledger.state;

import io.tidemark.connect.ledger.account.BatchTally;
import io.tidemark.connect.ledger.account.Sorted;
import java.time.Instant;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the ledger has counted of a batch.
 *
 * @param since when it took the first record of the batch, by the reckoner's clock; when it read
 *     the announcement, where that came first
 * @param last when it took the last one so far
 * @param topics by topic how many
 */
public record CountedBatch(Instant since, Instant last, SortedMap<String, BatchTally> topics) {

  public CountedBatch {
    topics = Sorted.copyOf(topics);
    if (last.isBefore(since)) {
      throw new IllegalArgumentException("counted from %s to %s".formatted(since, last));
    }
  }

  /** A batch of which no record was taken. */
  public static CountedBatch none(Instant now) {
    return new CountedBatch(now, now, Sorted.none());
  }

  /** These records and more of a topic. */
  public CountedBatch plus(String topic, BatchTally more, Instant now) {
    SortedMap<String, BatchTally> all = new TreeMap<>(topics);
    all.merge(topic, more, BatchTally::plus);
    return new CountedBatch(since, now.isBefore(last) ? last : now, all);
  }

  /** What was counted of some topics. */
  public CountedBatch ofTopics(Set<String> some) {
    SortedMap<String, BatchTally> kept = new TreeMap<>(topics);
    kept.keySet().retainAll(some);
    return new CountedBatch(since, last, kept);
  }

  /** How many of a topic. */
  public BatchTally of(String topic) {
    return topics.getOrDefault(topic, BatchTally.NONE);
  }
}
