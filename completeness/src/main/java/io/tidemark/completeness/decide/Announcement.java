package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Sorted;
import java.time.Instant;
import java.util.SortedMap;

/**
 * A producer's announcement of a batch.
 *
 * @param batch the id of the batch
 * @param sentAt Kafka's timestamp of the announcement
 * @param records the number of records that the producer has sent, by topic; at least one topic
 */
public record Announcement(String batch, Instant sentAt, SortedMap<String, Long> records) {

  public Announcement {
    records = Sorted.copyOf(records);
    if (records.isEmpty() || records.values().stream().anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException("batch %s: records %s".formatted(batch, records));
    }
  }
}
