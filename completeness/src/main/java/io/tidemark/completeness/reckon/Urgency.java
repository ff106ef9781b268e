package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Decision;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides which decisions are appended immediately. The others wait for further accounts. */
final class Urgency {
  private Urgency() {}

  /**
   * Returns whether a decision changes anything except taken accounts and the reasons why tables
   * wait.
   */
  static boolean atOnce(LedgerState before, Decision decision) {
    LedgerState after = decision.state();
    return !decision.covered().isEmpty()
        || !decision.completions().isEmpty()
        || decision.sums().stream().anyMatch(sum -> sum.late() > 0)
        || !before.holds().equals(after.holds())
        || !before.pending().equals(after.pending())
        || !through(before).equals(through(after))
        || !announced(before).equals(announced(after));
  }

  /** Returns the position in the announcements' topic, and the verdicts on batches. */
  private static List<Object> announced(LedgerState state) {
    List<Object> said = new ArrayList<>();
    state
        .announcements()
        .ifPresent(
            all -> {
              said.add(all.topicId());
              said.add(all.position());
              all.open()
                  .forEach(
                      (id, batch) -> said.add(List.of(id, batch.contradicted(), batch.verdict())));
            });
    return said;
  }

  /**
   * Returns whether a table or a group waits for another reason than in the ledger's last entry.
   */
  static boolean otherReason(LedgerState before, Decision decision) {
    return !reasons(before).equals(reasons(decision.state()));
  }

  private static Map<String, String> reasons(LedgerState state) {
    Map<String, String> reasons = new HashMap<>();
    state
        .tables()
        .forEach(
            (table, each) ->
                each.held().ifPresent(because -> reasons.put(table, because.reason())));
    state
        .groups()
        .forEach(
            (group, each) ->
                each.held().ifPresent(because -> reasons.put("group:" + group, because.reason())));
    state
        .topics()
        .forEach(
            (topic, each) ->
                each.held()
                    .filter(because -> because.reason().equals("NAME_TAKEN"))
                    .ifPresent(because -> reasons.put("topic:" + topic, because.reason())));
    return reasons;
  }

  private static Map<String, Optional<Instant>> through(LedgerState state) {
    Map<String, Optional<Instant>> through = new HashMap<>();
    for (Map.Entry<String, TableState> each : state.tables().entrySet()) {
      through.put(each.getKey(), each.getValue().through());
    }
    for (Map.Entry<String, GroupState> each : state.groups().entrySet()) {
      through.put("group:" + each.getKey(), each.getValue().through());
    }
    return through;
  }
}
