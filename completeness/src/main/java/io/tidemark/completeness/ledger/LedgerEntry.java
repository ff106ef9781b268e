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

  LedgerState state();

  /** Returns when the entry was written, by the writer's clock: see {@code StoreClock}. */
  Instant writtenAt();

  default Optional<Snapshot> asSnapshot() {
    return this instanceof SnapshotTaken taken ? Optional.of(taken.snapshot()) : Optional.empty();
  }

  default Optional<Reckoning> asReckoning() {
    return this instanceof Reckoning reckoning ? Optional.of(reckoning) : Optional.empty();
  }

  default boolean isCheckpoint() {
    return this instanceof Checkpoint;
  }

  /** A reckoner's claim of the ledger. The previous reckoner can append no further entry. */
  record Claim(UUID attempt, LedgerState state, Instant writtenAt, String connector, String worker)
      implements LedgerEntry {}

  record SnapshotTaken(UUID attempt, LedgerState state, Instant writtenAt, Snapshot snapshot)
      implements LedgerEntry {}

  /**
   * A reckoning: the accounts that were read, and the Hive partitions that are complete by them.
   *
   * @param covered by topic, the snapshot whose time is now the topic's {@code through}
   * @param sums the records and files of these accounts, by Hive partition
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
  }

  /**
   * An operator's acknowledgement of holds, or release of topics from their tables, or declaration
   * that producers no longer write to topics.
   *
   * @param holds the holds that are acknowledged, as they were before (without the reason)
   */
  record Acknowledge(
      UUID attempt,
      LedgerState state,
      Instant writtenAt,
      String operator,
      String reason,
      List<Hold> holds,
      List<String> released,
      List<String> retired)
      implements LedgerEntry {

    public Acknowledge {
      holds = List.copyOf(holds);
      released = List.copyOf(released);
      retired = List.copyOf(retired);
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
  }
}
