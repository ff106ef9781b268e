package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Sorted;
import java.time.Instant;
import java.util.SortedMap;

/** A producer's announcement of a batch: Kafka's timestamp, and the sent records by topic. */
public record Announcement(String batch, Instant sentAt, SortedMap<String, Long> records) {

  public Announcement {
    records = Sorted.copyOf(records);
    if (records.isEmpty() || records.values().stream().anyMatch(count -> count < 0)) {
      throw new IllegalArgumentException("batch %s: records %s".formatted(batch, records));
    }
  }
}
