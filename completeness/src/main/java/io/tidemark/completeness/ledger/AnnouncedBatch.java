package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A batch that its producer has announced.
 *
 * @param announcedIn the first entry after the announcement was read: later snapshots follow it
 * @param announcedAt when this entry was written, according to the reckoner's clock
 * @param contradicted whether another announcement of the same id has other numbers
 * @param verdict empty until a snapshot that was taken after the announcement is covered
 */
public record AnnouncedBatch(
    long announcedIn,
    Instant announcedAt,
    Instant sentAt,
    SortedMap<String, Long> records,
    boolean contradicted,
    CountedBatch counted,
    Optional<BatchVerdict> verdict) {

  private static final HeldBecause CONTRADICTED =
      new HeldBecause(
          "CONTRADICTED",
          "the batch was announced twice with different numbers, so the right ones are unknown. Announce it under another id");

  public AnnouncedBatch {
    records = Sorted.copyOf(records);
    if (announcedIn < 1 || records.isEmpty()) {
      throw new IllegalArgumentException(
          "not an announced batch: entry %d, records %s".formatted(announcedIn, records));
    }
  }

  public AnnouncedBatch with(CountedBatch more) {
    return new AnnouncedBatch(
        announcedIn, announcedAt, sentAt, records, contradicted, more, verdict);
  }

  public AnnouncedBatch with(BatchVerdict said) {
    return new AnnouncedBatch(
        announcedIn, announcedAt, sentAt, records, contradicted, counted, Optional.of(said));
  }

  public AnnouncedBatch contradictedNow() {
    return new AnnouncedBatch(announcedIn, announcedAt, sentAt, records, true, counted, verdict);
  }

  public boolean complete() {
    return !contradicted && verdict.filter(BatchVerdict::complete).isPresent();
  }

  public long announcedRecords() {
    return records.values().stream().mapToLong(Long::longValue).sum();
  }

  public BatchTally countedRecords() {
    return records.keySet().stream().map(counted::of).reduce(BatchTally.NONE, BatchTally::plus);
  }

  /** Returns why the batch is not complete; empty if it is complete. */
  public Optional<HeldBecause> held(SortedMap<String, TopicState> topics) {
    if (contradicted) {
      return Optional.of(CONTRADICTED);
    }
    return verdict.isPresent() ? verdict.get().held() : Optional.of(waits(topics));
  }

  private HeldBecause waits(SortedMap<String, TopicState> topics) {
    for (String name : records.keySet()) {
      TopicState topic = topics.get(name);
      if (topic == null) {
        return new HeldBecause("NO_TOPIC", name + ": the connector reads no such topic");
      }
      if (topic.snapshot() <= announcedIn) {
        return new HeldBecause(
            "OPEN",
            name
                + ": no snapshot that was taken after the announcement is covered yet"
                + topic.held().map(because -> ", " + because).orElse(""));
      }
    }
    return new HeldBecause("OPEN", "the next entry of the ledger compares the counts");
  }
}
