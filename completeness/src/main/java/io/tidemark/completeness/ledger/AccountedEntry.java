package io.tidemark.completeness.ledger;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.NumberedEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The part of a commit log's entry that the ledger uses. The entry is settled: its files are
 * published, and its Hive partitions are registered.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = AccountedEntry.Claim.class, name = "claim"),
  @JsonSubTypes.Type(value = AccountedEntry.Batch.class, name = "batch"),
  @JsonSubTypes.Type(value = AccountedEntry.Skip.class, name = "skip"),
  @JsonSubTypes.Type(value = AccountedEntry.Checkpoint.class, name = "checkpoint")
})
public sealed interface AccountedEntry {

  String topic();

  int topicPartition();

  long number();

  /** Returns the UUID of the attempt that appended the entry. */
  UUID attempt();

  AccountedState state();

  /** Calls the function for this entry's type, so that each caller has one for every type. */
  default <R> R match(
      Function<Claim, R> claim,
      Function<Batch, R> batch,
      Function<Skip, R> skip,
      Function<Checkpoint, R> checkpoint) {
    return this instanceof Claim one
        ? claim.apply(one)
        : this instanceof Batch one
            ? batch.apply(one)
            : this instanceof Skip one ? skip.apply(one) : checkpoint.apply((Checkpoint) this);
  }

  default Optional<Batch> asBatch() {
    return this instanceof Batch batch ? Optional.of(batch) : Optional.empty();
  }

  /** Returns whether the entry replaces all entries before it. */
  default boolean isCheckpoint() {
    return this instanceof Checkpoint;
  }

  /**
   * Creates the accounted entry of a log's entry.
   *
   * @param unseen the Hive partitions of the entry that readers of the table do not see: the
   *     catalog has them at another location, or does not have their table
   */
  static AccountedEntry of(
      String topic,
      int topicPartition,
      NumberedEntry<CommitEntry> entry,
      List<HivePartitionId> unseen) {
    long number = entry.number();
    UUID attempt = entry.entry().attempt();
    AccountedState state = AccountedState.of(entry.entry().state());
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
                    unseen,
                    batch.batchIds()),
            skip -> new Skip(topic, topicPartition, number, attempt, state, skip.range()),
            checkpoint -> new Checkpoint(topic, topicPartition, number, attempt, state));
  }

  /** A claim, which may have begun the next generation. */
  record Claim(String topic, int topicPartition, long number, UUID attempt, AccountedState state)
      implements AccountedEntry {

    public Claim {
      requireNumbers(topicPartition, number);
    }
  }

  /**
   * A batch, with the sums of its files by Hive partition.
   *
   * @param unseen those Hive partitions of the batch that readers of the table do not see
   * @param batchIds the number of records of each announced batch
   */
  record Batch(
      String topic,
      int topicPartition,
      long number,
      UUID attempt,
      AccountedState state,
      OffsetRange range,
      RecordCounts counts,
      NotLanded notLanded,
      List<HivePartitionSum> sums,
      List<HivePartitionId> unseen,
      BatchIdCounts batchIds)
      implements AccountedEntry {

    public Batch {
      requireNumbers(topicPartition, number);
      requireEnd(state, range);
      sums = List.copyOf(sums);
      unseen = List.copyOf(unseen);
      if (counts.total() != range.size()
          || !notLanded.counts(counts.landed()).equals(counts)
          || !notLanded.within(range)) {
        throw new IllegalArgumentException(
            "the classes of %s are %s, and those that did not land %s"
                .formatted(range, counts, notLanded));
      }
      long summed = sums.stream().mapToLong(HivePartitionSum::records).sum();
      if (summed != counts.landed()) {
        throw new IllegalArgumentException(
            "%d records of %s landed, but its Hive partitions got %d"
                .formatted(counts.landed(), range, summed));
      }
      Set<HivePartitionId> ids = new HashSet<>();
      for (HivePartitionSum sum : sums) {
        if (!ids.add(sum.id())) {
          throw new IllegalArgumentException(sum.id() + " occurs twice");
        }
      }
      batchIds.requireWithin(
          counts,
          sums.stream()
              .collect(
                  Collectors.groupingBy(
                      sum -> sum.table().toString(),
                      Collectors.summingLong(HivePartitionSum::records))));
    }
  }

  /** An operator's skip. The offsets of the range count as skipped. */
  record Skip(
      String topic,
      int topicPartition,
      long number,
      UUID attempt,
      AccountedState state,
      OffsetRange range)
      implements AccountedEntry {

    public Skip {
      requireNumbers(topicPartition, number);
      requireEnd(state, range);
    }
  }

  /**
   * A checkpoint, which replaces all entries up to its number. The counts of these entries are
   * exact; their sums by Hive partition are unknown.
   */
  record Checkpoint(
      String topic, int topicPartition, long number, UUID attempt, AccountedState state)
      implements AccountedEntry {

    public Checkpoint {
      requireNumbers(topicPartition, number);
    }
  }

  private static void requireNumbers(int topicPartition, long number) {
    if (topicPartition < 0 || number < 1) {
      throw new IllegalArgumentException(
          "topic-partition %d, entry %d (the first are 0 and 1)".formatted(topicPartition, number));
    }
  }

  private static void requireEnd(AccountedState state, OffsetRange range) {
    if (state.next() != range.next()) {
      throw new IllegalArgumentException(
          "state.next is %d, but the offset after the range %s is %d"
              .formatted(state.next(), range, range.next()));
    }
  }
}
