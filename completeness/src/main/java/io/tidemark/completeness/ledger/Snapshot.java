package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.SortedMap;

/**
 * Kafka's end offsets of all topic-partitions at one time.
 *
 * @param through the time through which records are complete once the snapshot is covered: {@code
 *     askedAt} minus the lateness, or earlier
 * @param askedAt the reckoner's time before the request to Kafka
 * @param topics the end offsets by topic; a topic that is missing is not covered by this snapshot
 */
public record Snapshot(
    Instant through, Instant askedAt, String clusterId, SortedMap<String, TopicEnds> topics) {

  public Snapshot {
    topics = Sorted.copyOf(topics);
    if (through.isAfter(askedAt)) {
      throw new IllegalArgumentException(
          "a snapshot of %s cannot show what is complete through %s".formatted(askedAt, through));
    }
  }
}
