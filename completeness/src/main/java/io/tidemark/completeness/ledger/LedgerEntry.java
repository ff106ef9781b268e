package io.tidemark.completeness.ledger;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.tidemark.store.log.JsonFormat;
import io.tidemark.store.log.LogEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Function;

/** An entry of a ledger's log. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = LedgerEntry.Claim.class, name = "claim"),
  @JsonSubTypes.Type(value = LedgerEntry.SnapshotTaken.class, name = "snapshot"),
  @JsonSubTypes.Type(value = LedgerEntry.Reckoning.class, name = "reckoning"),
  @JsonSubTypes.Type(value = LedgerEntry.Acknowledge.class, name = "acknowledge"),
  @JsonSubTypes.Type(value = LedgerEntry.Checkpoint.class, name = "checkpoint")
})
public sealed interface LedgerEntry extends LogEntry {

  /** The files of entries. {@code docs/PROTOCOL.md}, "The ledger", has examples. */
  JsonFormat<LedgerEntry> FORMAT =
      JsonFormat.evolving(
              "the ledger's entry", LedgerEntry.class, Set.of(AnnouncementsState.FEATURE))
          .withState(LedgerState.class);

  /** Returns the ledger's state after this entry. */
  LedgerState state();

  /**
   * Returns when the entry was written, according to the writer's clock. {@code store.StoreClock}
   * compares this time with the store's time.
   */
  Instant writtenAt();

  /**
   * Calls the function for this entry's type. A new type does not compile until every caller has a
   * function for it.
   */
  <R> R match(
      Function<Claim, R> claim,
      Function<SnapshotTaken, R> snapshot,
      Function<Reckoning, R> reckoning,
      Function<Acknowledge, R> acknowledge,
      Function<Checkpoint, R> checkpoint);

  /** Returns the entry's snapshot of Kafka's end offsets; empty if it has none. */
  default Optional<Snapshot> asSnapshot() {
    return Optional.empty();
  }

  /** Returns the entry as a reckoning; empty if it is of another type. */
  default Optional<Reckoning> asReckoning() {
    return Optional.empty();
  }

  /** Returns whether the entry replaces all entries before it. */
  default boolean isCheckpoint() {
    return false;
  }

  /**
   * A reckoner's claim of the ledger. The previous reckoner can append no further entry.
   *
   * @param connector the reckoner's connector, for people
   * @param worker the worker's process, for people
   */
  record Claim(UUID attempt, LedgerState state, Instant writtenAt, String connector, String worker)
      implements LedgerEntry {

    @Override
    public <R> R match(
        Function<Claim, R> claim,
        Function<SnapshotTaken, R> snapshot,
        Function<Reckoning, R> reckoning,
        Function<Acknowledge, R> acknowledge,
        Function<Checkpoint, R> checkpoint) {
      return claim.apply(this);
    }
  }

  /** A snapshot of Kafka's end offsets. */
  record SnapshotTaken(UUID attempt, LedgerState state, Instant writtenAt, Snapshot snapshot)
      implements LedgerEntry {

    @Override
    public <R> R match(
        Function<Claim, R> claim,
        Function<SnapshotTaken, R> snapshot,
        Function<Reckoning, R> reckoning,
        Function<Acknowledge, R> acknowledge,
        Function<Checkpoint, R> checkpoint) {
      return snapshot.apply(this);
    }

    @Override
    public Optional<Snapshot> asSnapshot() {
      return Optional.of(snapshot);
    }
  }

  /**
   * A reckoning: the accounts that were taken, and the Hive partitions that are complete because of
   * these accounts.
   *
   * @param covered by topic, the snapshot whose time is now the topic's {@code through}
   * @param sums the records and files that were taken, by Hive partition
   */
  record Reckoning(
      UUID attempt,
      LedgerState state,
      Instant writtenAt,
      SortedMap<String, Covering> covered,
      List<HivePartitionTotal> sums,
      List<Completion> completions)
      implements LedgerEntry {

    /** Maximum number of completions in one entry. Further completions are in the next entries. */
    public static final int COMPLETIONS_MOST = 1_000;

    public Reckoning {
      covered = Sorted.copyOf(covered);
      sums = List.copyOf(sums);
      completions = List.copyOf(completions);
      if (completions.size() > COMPLETIONS_MOST) {
        throw new IllegalArgumentException(completions.size() + " completions in one entry");
      }
    }

    @Override
    public <R> R match(
        Function<Claim, R> claim,
        Function<SnapshotTaken, R> snapshot,
        Function<Reckoning, R> reckoning,
        Function<Acknowledge, R> acknowledge,
        Function<Checkpoint, R> checkpoint) {
      return reckoning.apply(this);
    }

    @Override
    public Optional<Reckoning> asReckoning() {
      return Optional.of(this);
    }
  }

  /**
   * An operator's acknowledgement of holds, or release of topics from their tables.
   *
   * @param operator the name of the operator, for people
   * @param reason the operator's reason, for people
   * @param holds the holds that are acknowledged, as they were before (without the reason)
   * @param released the topics that are removed from their tables
   */
  record Acknowledge(
      UUID attempt,
      LedgerState state,
      Instant writtenAt,
      String operator,
      String reason,
      List<Hold> holds,
      List<String> released)
      implements LedgerEntry {

    public Acknowledge {
      holds = List.copyOf(holds);
      released = List.copyOf(released);
    }

    @Override
    public <R> R match(
        Function<Claim, R> claim,
        Function<SnapshotTaken, R> snapshot,
        Function<Reckoning, R> reckoning,
        Function<Acknowledge, R> acknowledge,
        Function<Checkpoint, R> checkpoint) {
      return acknowledge.apply(this);
    }
  }

  /**
   * A checkpoint, which replaces all entries up to its number. They may have been deleted.
   *
   * @param snapshots the pending snapshots, by the numbers of their entries
   * @param totals the totals of the Hive partitions that are not complete, or became so recently
   */
  record Checkpoint(
      UUID attempt,
      LedgerState state,
      Instant writtenAt,
      SortedMap<Long, Snapshot> snapshots,
      List<OpenTotal> totals)
      implements LedgerEntry {

    public Checkpoint {
      snapshots = Sorted.copyOf(snapshots);
      totals = List.copyOf(totals);
      if (!List.copyOf(snapshots.keySet()).equals(state.pending())) {
        throw new IllegalArgumentException(
            "it has the snapshots %s, and %s are pending"
                .formatted(snapshots.keySet(), state.pending()));
      }
    }

    @Override
    public <R> R match(
        Function<Claim, R> claim,
        Function<SnapshotTaken, R> snapshot,
        Function<Reckoning, R> reckoning,
        Function<Acknowledge, R> acknowledge,
        Function<Checkpoint, R> checkpoint) {
      return checkpoint.apply(this);
    }

    @Override
    public boolean isCheckpoint() {
      return true;
    }
  }
}
