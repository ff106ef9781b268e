package io.tidemark.connect.ledger.entry;

import io.tidemark.connect.ledger.account.Sorted;
import io.tidemark.connect.ledger.state.Block;
import io.tidemark.connect.ledger.state.LedgerState;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;
import java.util.function.Function;

/** An entry of a ledger's log. */
public sealed interface LedgerEntry {

  /** The identity of this entry: of one attempt to append it. */
  UUID attempt();

  /** Where the ledger stands after this entry. */
  LedgerState state();

  /** When it was written, by the writer's clock: for people; no rule depends on it. */
  Instant writtenAt();

  /**
   * What a reader makes of this entry: it says so of each kind, so that a new kind does not compile
   * until every reader has.
   */
  <R> R match(
      Function<Claim, R> claim,
      Function<SnapshotTaken, R> snapshot,
      Function<Reckoning, R> reckoning,
      Function<Acknowledge, R> acknowledge,
      Function<Checkpoint, R> checkpoint);

  /**
   * A reckoner takes the ledger: the one before can append nothing more.
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

  /** Kafka's end offsets were asked for. */
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
  }

  /**
   * Accounts were taken, and what they completed.
   *
   * @param covered by topic, where {@code through} moved
   * @param sums what was taken, by Hive partition
   */
  record Reckoning(
      UUID attempt,
      LedgerState state,
      Instant writtenAt,
      SortedMap<String, Covering> covered,
      List<HivePartitionTotal> sums,
      List<Completion> completions)
      implements LedgerEntry {

    /** So many completions an entry has at most; the rest follows. */
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
  }

  /**
   * An operator lifts blocks, or releases topics that no longer feed a table.
   *
   * @param operator who, for people
   * @param reason why, for people
   * @param blocks as they were before
   */
  record Acknowledge(
      UUID attempt,
      LedgerState state,
      Instant writtenAt,
      String operator,
      String reason,
      List<Block> blocks,
      List<String> released)
      implements LedgerEntry {

    public Acknowledge {
      blocks = List.copyOf(blocks);
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
   * Stands for all entries up to its number, which may be gone.
   *
   * @param snapshots the pending ones, by the numbers of their entries
   * @param totals of the Hive partitions that are not complete, or were not long ago
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
  }
}
