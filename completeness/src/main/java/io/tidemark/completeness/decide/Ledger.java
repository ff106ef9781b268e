package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.Sorted;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.log.NumberedEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A ledger after an entry: the sum of its checkpoint and the entries after it.
 *
 * @param number the number of the last entry; 0 before the first one
 * @param state with all positions
 * @param snapshots the pending snapshots, by the numbers of their entries
 * @param totals the totals of Hive partitions that are not complete, or that ended less than {@link
 *     #TOTALS_KEPT} before the table's {@code through}
 */
public record Ledger(
    long number,
    LedgerState state,
    SortedMap<Long, Snapshot> snapshots,
    SortedMap<HivePartitionId, OpenTotal> totals) {

  /** How long the total of a complete Hive partition is kept after its end, in event time. */
  static final Duration TOTALS_KEPT = Duration.ofDays(7);

  public static final Ledger EMPTY =
      new Ledger(0, LedgerState.initial(), Sorted.none(), Sorted.none());

  public Ledger {
    snapshots = Sorted.copyOf(snapshots);
    totals = Sorted.copyOf(totals);
  }

  public Ledger after(NumberedEntry<LedgerEntry> next) {
    if (next.entry() instanceof LedgerEntry.Checkpoint checkpoint) {
      SortedMap<HivePartitionId, OpenTotal> all = new TreeMap<>();
      checkpoint.totals().forEach(total -> all.put(total.total().id(), total));
      return with(next.number(), checkpoint.state(), checkpoint.snapshots(), all);
    }
    if (next.entry() instanceof LedgerEntry.Acknowledge acknowledge) {
      Ledger restarted = this;
      for (Hold hold : acknowledge.holds()) {
        restarted = hold.kind() == HoldKind.GAP ? restarted.restarted(hold) : restarted;
      }
      return with(
          next.number(), restarted.merged(acknowledge.state()), snapshots, restarted.totals);
    }
    SortedMap<Long, Snapshot> more = new TreeMap<>(snapshots);
    next.entry().asSnapshot().ifPresent(snapshot -> more.put(next.number(), snapshot));
    return with(
        next.number(),
        merged(next.entry().state()),
        more,
        next.entry().asReckoning().map(this::totals).orElse(totals));
  }

  /**
   * Returns this ledger without the position in a log that does not continue there. The totals of
   * its topic's tables begin again at 0: some records in them may land again, or may be gone.
   */
  private Ledger restarted(Hold gap) {
    SortedMap<String, TopicState> topics = new TreeMap<>(state.topics());
    topics.computeIfPresent(
        gap.topic(),
        (name, topic) -> {
          SortedMap<Integer, Position> at = new TreeMap<>(topic.at());
          at.remove(gap.topicPartition());
          return topic.withAt(at);
        });
    SortedMap<HivePartitionId, OpenTotal> all = new TreeMap<>(totals);
    all.replaceAll(
        (id, open) -> {
          TableState table = state.tables().get(id.table().toString());
          boolean released = !state.topicsOfTables().contains(gap.topic());
          return released || (table != null && table.topics().contains(gap.topic()))
              ? open.restarted()
              : open;
        });
    return new Ledger(number, state.with(draft -> draft.topics = topics), snapshots, all);
  }

  /** Returns this ledger after entries were shown up to {@code shown}, if that is further. */
  public Ledger shownThrough(long shown) {
    return shown <= state.shownThrough()
        ? this
        : new Ledger(number, state.with(draft -> draft.shownThrough = shown), snapshots, totals);
  }

  /** Returns this ledger after the store has refused manifests, which the next entry records. */
  public Ledger refusing(Map<HivePartitionId, String> problems) {
    SortedMap<String, TableState> tables = new TreeMap<>(state.tables());
    problems.forEach(
        (id, problem) ->
            tables.computeIfPresent(
                id.table().toString(),
                (name, table) -> table.refusing(id.hivePartition().path(), problem)));
    return new Ledger(number, state.with(draft -> draft.tables = tables), snapshots, totals);
  }

  /** Returns this ledger without a snapshot whose time is wrong, which the next entry omits. */
  public Ledger withoutSnapshot(long snapshot) {
    return with(number, state.withoutSnapshot(snapshot), snapshots, totals);
  }

  /** Returns the state after the next entry, including what the entry omits as unchanged. */
  private LedgerState merged(LedgerState next) {
    SortedMap<String, TopicState> topics = new TreeMap<>(next.topics());
    topics.replaceAll(
        (name, topic) -> {
          SortedMap<Integer, Position> at = new TreeMap<>(state.topic(name).at());
          at.putAll(topic.at());
          return topic.withAt(at);
        });
    Optional<AnnouncementsState> announcements =
        next.announcements()
            .map(now -> state.announcements().map(before -> before.plus(now)).orElse(now));
    return next.with(
        draft -> {
          draft.topics = topics;
          draft.announcements = announcements;
        });
  }

  private static Ledger with(
      long number,
      LedgerState state,
      SortedMap<Long, Snapshot> snapshots,
      SortedMap<HivePartitionId, OpenTotal> totals) {
    SortedMap<Long, Snapshot> pending = new TreeMap<>(snapshots);
    pending.keySet().retainAll(state.pending());
    return new Ledger(number, state, pending, totals);
  }

  private SortedMap<HivePartitionId, OpenTotal> totals(LedgerEntry.Reckoning reckoning) {
    SortedMap<HivePartitionId, OpenTotal> all = plus(reckoning.sums());
    Set<String> left = new TreeSet<>(state.tables().keySet());
    left.removeAll(reckoning.state().tables().keySet());
    all.keySet().removeIf(id -> left.contains(id.table().toString()));
    for (Completion completion : reckoning.completions()) {
      all.put(
          completion.total().id(),
          new OpenTotal(completion.total(), Optional.of(reckoning.writtenAt()), false));
    }
    return all;
  }

  SortedMap<HivePartitionId, OpenTotal> plus(List<HivePartitionTotal> sums) {
    SortedMap<HivePartitionId, OpenTotal> all = new TreeMap<>(totals);
    for (HivePartitionTotal sum : sums) {
      all.merge(
          sum.id(),
          new OpenTotal(sum, Optional.empty(), true),
          (before, more) -> new OpenTotal(before.total().plus(sum), before.completedAt(), true));
    }
    return all;
  }

  /**
   * Returns a checkpoint that replaces all entries up to this one. The checkpoint omits totals of
   * Hive partitions that ended long before the time through which the table is complete. If records
   * land in such a Hive partition later, its new total is partial.
   */
  public LedgerEntry.Checkpoint checkpoint(UUID attempt, Instant now) {
    return new LedgerEntry.Checkpoint(
        attempt,
        state,
        now,
        snapshots,
        totals.values().stream().filter(total -> !forgotten(total)).toList());
  }

  private boolean forgotten(OpenTotal total) {
    TableState table = state.tables().get(total.total().table().toString());
    return total.completedAt().isPresent()
        && !total.changed()
        && mayBeForgotten(total.total())
        && (table == null || !table.refuses(total.total().hivePartition().path()));
  }

  /** Returns whether a checkpoint may have omitted the Hive partition's total. */
  boolean mayBeForgotten(HivePartitionTotal total) {
    TableState table = state.tables().get(total.table().toString());
    return table != null
        && table.through().isPresent()
        && total.until().isPresent()
        && total.until().get().isBefore(table.through().get().minus(TOTALS_KEPT))
        // Keep the total until emptiesThrough has passed it: without one it would count as empty.
        && table.emptiesThrough().filter(total.until().get()::isAfter).isEmpty();
  }
}
