package io.tidemark.connect.ledger.state;

import io.tidemark.connect.ledger.account.BatchTally;
import io.tidemark.connect.ledger.account.Sorted;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A batch that its producer has announced.
 *
 * @param announcedIn the ledger's entry that has read the announcement: a snapshot of a later entry
 *     was taken after it
 * @param announcedAt when that was, by the reckoner's clock
 * @param sentAt Kafka's timestamp of the announcement
 * @param records by topic how many records were announced
 * @param contradicted whether another announcement of the same id has other numbers
 * @param counted what was taken so far
 * @param verdict empty until a snapshot that was taken after the announcement is covered
 */
public record OpenBatch(
    long announcedIn,
    Instant announcedAt,
    Instant sentAt,
    SortedMap<String, Long> records,
    boolean contradicted,
    CountedBatch counted,
    Optional<BatchVerdict> verdict) {

  private static final Hold CONTRADICTED =
      new Hold(
          "CONTRADICTED",
          "the batch was announced again with other numbers, so nobody knows which are right. Announce it under another id");

  public OpenBatch {
    records = Sorted.copyOf(records);
    if (announcedIn < 1 || records.isEmpty()) {
      throw new IllegalArgumentException(
          "no announcement: entry %d, records %s".formatted(announcedIn, records));
    }
  }

  public OpenBatch with(CountedBatch more) {
    return new OpenBatch(announcedIn, announcedAt, sentAt, records, contradicted, more, verdict);
  }

  public OpenBatch with(BatchVerdict said) {
    return new OpenBatch(
        announcedIn, announcedAt, sentAt, records, contradicted, counted, Optional.of(said));
  }

  /** This batch when another announcement of the id has come that has other numbers. */
  public OpenBatch contradictedNow() {
    return new OpenBatch(announcedIn, announcedAt, sentAt, records, true, counted, verdict);
  }

  public boolean complete() {
    return !contradicted && verdict.filter(BatchVerdict::complete).isPresent();
  }

  /** How many records were announced, of all topics. */
  public long announcedRecords() {
    return records.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many were taken so far of the topics that were announced. */
  public BatchTally countedRecords() {
    return records.keySet().stream().map(counted::of).reduce(BatchTally.NONE, BatchTally::plus);
  }

  /** Why it is not complete; empty where it is. */
  public Optional<Hold> held(SortedMap<String, TopicState> topics) {
    if (contradicted) {
      return Optional.of(CONTRADICTED);
    }
    return verdict.isPresent() ? verdict.get().held() : Optional.of(waits(topics));
  }

  private Hold waits(SortedMap<String, TopicState> topics) {
    for (String name : records.keySet()) {
      TopicState topic = topics.get(name);
      if (topic == null) {
        return new Hold("NO_TOPIC", name + ": the connector reads no such topic");
      }
      if (topic.snapshot() <= announcedIn) {
        return new Hold(
            "OPEN",
            name
                + ": no snapshot that was taken after the announcement is covered yet"
                + topic.held().map(hold -> ", " + hold).orElse(""));
      }
    }
    return new Hold("OPEN", "the next entry of the ledger judges it");
  }
}
