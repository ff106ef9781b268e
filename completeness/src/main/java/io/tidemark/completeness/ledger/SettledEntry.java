package io.tidemark.completeness.ledger;

import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.NumberedEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** What the ledger uses of a commit log's entry: sums instead of files, which may be thousands. */
public sealed interface SettledEntry {

  String topic();

  int topicPartition();

  long number();

  /** Returns the attempt that appended the entry with this number, also for a checkpoint. */
  UUID attempt();

  SettledState state();

  default Optional<Batch> asBatch() {
    return this instanceof Batch batch ? Optional.of(batch) : Optional.empty();
  }

  default boolean isCheckpoint() {
    return this instanceof Checkpoint;
  }

  static SettledEntry of(String topic, int topicPartition, NumberedEntry<CommitEntry> entry) {
    long number = entry.number();
    UUID attempt = entry.entry().identity();
    SettledState state = SettledState.of(entry.entry().state());
    return entry
        .entry()
        .match(
            claim -> new Claim(topic, topicPartition, number, attempt, state),
            batch ->
                new Batch(
                    topic,
                    topicPartition,
                    number,
                    attempt,
                    state,
                    batch.range(),
                    batch.counts(),
                    batch.notLanded(),
                    HivePartitionSum.of(batch.files()),
                    batch.batchIds()),
            skip -> new Skip(topic, topicPartition, number, attempt, state, skip.range()),
            checkpoint -> new Checkpoint(topic, topicPartition, number, attempt, state),
            adopted ->
                new Adopted(topic, topicPartition, number, attempt, state, adopted.exactFrom()));
  }

  /** A claim, which may have begun the next generation. */
  record Claim(String topic, int topicPartition, long number, UUID attempt, SettledState state)
      implements SettledEntry {}

  /** A batch, with the sums of its files by Hive partition, and its records by announced batch. */
  record Batch(
      String topic,
      int topicPartition,
      long number,
      UUID attempt,
      SettledState state,
      OffsetRange range,
      RecordCounts counts,
      NotLanded notLanded,
      List<HivePartitionSum> sums,
      BatchIdCounts batchIds)
      implements SettledEntry {

    public Batch {
      sums = List.copyOf(sums);
    }
  }

  /** An operator's skip. The offsets of the range count as skipped. */
  record Skip(
      String topic,
      int topicPartition,
      long number,
      UUID attempt,
      SettledState state,
      OffsetRange range)
      implements SettledEntry {}

  /**
   * The log continues after another sink, whose files may be in Hive partitions of earlier times.
   */
  record Adopted(
      String topic,
      int topicPartition,
      long number,
      UUID attempt,
      SettledState state,
      Instant exactFrom)
      implements SettledEntry {}

  /** Replaces the entries up to its number: their counts are exact, their sums are unknown. */
  record Checkpoint(String topic, int topicPartition, long number, UUID attempt, SettledState state)
      implements SettledEntry {}
}
