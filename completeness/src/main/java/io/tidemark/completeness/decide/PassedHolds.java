package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicEnds;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides that the ledger no longer needs a hold: all completions that depend on it have been shown
 * together with it.
 *
 * @param covered by topic, the snapshot that the decision covers
 * @param tables the tables after the decision
 * @param totals the totals after all accounts that were read
 */
record PassedHolds(
    Ledger ledger,
    LedgerSettings settings,
    Map<String, Covering> covered,
    Map<String, TableState> tables,
    Collection<OpenTotal> totals) {
  /**
   * Returns the holds that the ledger still needs. A hold is removed when nothing else waits for
   * it, by the first entry whose completions depend on it. The manifests of that entry still list
   * the hold, because manifests also list the holds of the previous entry.
   */
  List<Hold> without(List<Hold> holds, List<Long> pending, List<Completion> complete) {
    return holds.stream()
        .filter(hold -> !passed(hold, pending) || !isShown(hold, complete))
        .toList();
  }

  /** Returns whether no snapshot or completion waits for the hold any more. */
  private boolean passed(Hold hold, List<Long> pending) {
    boolean forLater = hold.kind() == HoldKind.GAP || hold.kind() == HoldKind.UNSEEN;
    return !forLater
        && !settings.rules().prevents(hold)
        && ledger.state().holds().contains(hold)
        && pending.stream()
            .flatMap(number -> ends(number, hold).stream())
            .allMatch(ends -> ends.end(hold.topicPartition()) <= hold.from());
  }

  /**
   * Returns whether a completion of this entry depends on the hold. If no table of the hold's topic
   * has a time in its paths, returns whether a snapshot that is now covered depends on it.
   */
  private boolean isShown(Hold hold, List<Completion> complete) {
    boolean byTime =
        totals.stream()
            .map(OpenTotal::total)
            .anyMatch(total -> total.until().isPresent() && isOfTopic(total, hold));
    Covering now = covered.get(hold.topic());
    return byTime
        ? complete.stream()
            .filter(each -> isOfTopic(each.total(), hold))
            .flatMap(each -> ends(each.snapshot(), hold).stream())
            .anyMatch(ends -> has(ends, hold))
        : now != null && ends(now.snapshot(), hold).filter(ends -> has(ends, hold)).isPresent();
  }

  private boolean isOfTopic(HivePartitionTotal total, Hold hold) {
    TableState table = tables.get(total.table().toString());
    return table != null && table.topics().contains(hold.topic());
  }

  private Optional<TopicEnds> ends(long snapshot, Hold hold) {
    return Optional.ofNullable(ledger.snapshots().get(snapshot))
        .flatMap(each -> Optional.ofNullable(each.topics().get(hold.topic())));
  }

  /** Returns whether the hold affects the coverage of a snapshot with these end offsets. */
  private static boolean has(TopicEnds ends, Hold hold) {
    return !ends.topicId().equals(hold.topicId()) || ends.end(hold.topicPartition()) > hold.from();
  }
}
