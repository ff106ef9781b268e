package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;

/**
 * The reckoner's decision about the ledger's next entry.
 *
 * @param toLook the Hive partitions to look up in the catalog; the decision is final without any
 * @param unlooked the topics with entries that were not read, and of which no account shows whether
 *     readers see their Hive partitions: look up all Hive partitions of their tables, once
 * @param changed whether anything was read, covered or completed, or a hold was made
 */
public record Decision(
    LedgerState state,
    SortedMap<String, Covering> covered,
    List<HivePartitionTotal> sums,
    List<Completion> completions,
    Set<HivePartitionId> toLook,
    Set<String> unlooked,
    boolean changed) {

  public LedgerEntry.Reckoning entry(UUID attempt, Instant now) {
    if (!toLook.isEmpty()) {
      throw new IllegalStateException(
          "the decision is not final until these are looked up in the catalog: " + toLook);
    }
    return new LedgerEntry.Reckoning(attempt, state, now, covered, sums, completions);
  }

  /**
   * Returns whether to append the entry immediately: it changes more than positions and the reasons
   * why tables wait. Other decisions wait for further accounts.
   */
  public boolean isUrgent(LedgerState before) {
    return !covered.isEmpty()
        || !completions.isEmpty()
        || sums.stream().anyMatch(sum -> sum.late() > 0)
        || !before.holds().equals(state.holds())
        || !before.pending().equals(state.pending())
        || !Completeness.of(before).through().equals(Completeness.of(state).through())
        || !announced(before).equals(announced(state));
  }

  /** Returns the position in the announcements' topic, and the verdicts on batches. */
  private static List<Object> announced(LedgerState state) {
    List<Object> announced = new ArrayList<>();
    for (AnnouncementsState all : state.announcements().stream().toList()) {
      announced.addAll(List.of(all.topicId(), all.position()));
      all.open().forEach((id, of) -> announced.add(List.of(id, of.contradicted(), of.verdict())));
    }
    return announced;
  }

  public boolean hasOtherReasons(LedgerState before) {
    return !Completeness.of(before).reasons().equals(Completeness.of(state).reasons());
  }
}
