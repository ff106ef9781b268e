package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Decision;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.LedgerState;
import java.util.ArrayList;
import java.util.List;

/** Decides which decisions are appended immediately. The others wait for further accounts. */
final class Urgency {
  private Urgency() {}

  /**
   * Returns whether a decision changes anything except positions and the reasons why tables wait.
   */
  static boolean atOnce(LedgerState before, Decision decision) {
    LedgerState after = decision.state();
    return !decision.covered().isEmpty()
        || !decision.completions().isEmpty()
        || decision.sums().stream().anyMatch(sum -> sum.late() > 0)
        || !before.holds().equals(after.holds())
        || !before.pending().equals(after.pending())
        || !Completeness.of(before).through().equals(Completeness.of(after).through())
        || !announced(before).equals(announced(after));
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

  /**
   * Returns whether a table or a group waits for another reason than in the ledger's last entry.
   */
  static boolean otherReason(LedgerState before, Decision decision) {
    return !Completeness.of(before).reasons().equals(Completeness.of(decision.state()).reasons());
  }
}
