package io.tidemark.connect.ledger;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a producer has announced of a batch.
 *
 * @param batch its id
 * @param sentAt Kafka's timestamp of the announcement
 * @param records how many records it has sent, by topic; at least one topic
 */
public record Announcement(String batch, Instant sentAt, SortedMap<String, Long> records) {

  public Announcement {
    records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
    if (records.isEmpty() || records.values().stream().anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException("batch %s: records %s".formatted(batch, records));
    }
  }
}
