package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.TopicEnds;
import java.util.Optional;

/** Decides that the ledger no longer needs a hold: all that depends on it has been shown. */
record PassedHolds(Draft draft) {
  /**
   * Removes the holds that the ledger no longer needs. A hold is removed when nothing else waits
   * for it, by the first entry whose completions depend on it. The manifests of that entry still
   * list the hold, because manifests also list the holds of the previous entry.
   */
  void remove() {
    draft.holds.removeIf(hold -> passed(hold) && isShown(hold));
  }

  /** Returns whether no snapshot or completion waits for the hold any more. */
  private boolean passed(Hold hold) {
    boolean forLater = hold.kind() == HoldKind.GAP || hold.kind() == HoldKind.UNSEEN;
    return !forLater
        && !draft.settings.rules().prevents(hold)
        && draft.before.holds().contains(hold)
        && draft.pending.stream()
            .flatMap(number -> ends(number, hold).stream())
            .allMatch(ends -> ends.end(hold.topicPartition()) <= hold.from());
  }

  /**
   * Returns whether a completion of this entry depends on the hold. If no table of the hold's topic
   * has a time in its paths, returns whether a snapshot that is now covered depends on it.
   */
  private boolean isShown(Hold hold) {
    boolean byTime =
        draft.totals.values().stream()
            .map(OpenTotal::total)
            .anyMatch(
                total -> total.until().isPresent() && draft.isTopicOf(hold.topic(), total.table()));
    Covering now = draft.covered.get(hold.topic());
    return byTime
        ? draft.completions.stream()
            .filter(each -> draft.isTopicOf(hold.topic(), each.total().table()))
            .flatMap(each -> ends(each.snapshot(), hold).stream())
            .anyMatch(ends -> has(ends, hold))
        : now != null && ends(now.snapshot(), hold).filter(ends -> has(ends, hold)).isPresent();
  }

  private Optional<TopicEnds> ends(long snapshot, Hold hold) {
    return Optional.ofNullable(draft.ledger.snapshots().get(snapshot))
        .flatMap(each -> Optional.ofNullable(each.topics().get(hold.topic())));
  }

  /** Returns whether the hold affects the coverage of a snapshot with these end offsets. */
  private static boolean has(TopicEnds ends, Hold hold) {
    return !ends.topicId().equals(hold.topicId()) || ends.end(hold.topicPartition()) > hold.from();
  }
}
