package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Completeness;
import io.tidemark.completeness.ledger.LedgerState;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The health of the reckoner, for metrics. Immutable.
 *
 * @param ours whether this reckoner has claimed the ledger
 * @param through by the name of a table or group ({@code default.orders}, {@code group:sales}), the
 *     time through which it is complete
 * @param held by table and group, why that time is not later, or {@code ""}; by topic, such as
 *     {@code topic:a_b}, why the topic has no table
 * @param pending the number of snapshots that are not covered
 * @param newestCompletion when this reckoner last showed a Hive partition to be complete, by table
 * @param lastCycle when a cycle last succeeded, according to the reckoner's clock
 * @param problem the present problem: place, problem, cause, cure
 */
public record ReckonerHealth(
    boolean ours,
    Map<String, Instant> through,
    Map<String, String> held,
    int pending,
    Map<String, Instant> newestCompletion,
    Optional<Instant> lastCycle,
    boolean clockAgrees,
    Optional<String> problem) {

  /** The health before the first cycle. */
  public static final ReckonerHealth NONE =
      new ReckonerHealth(
          false, Map.of(), Map.of(), 0, Map.of(), Optional.empty(), true, Optional.empty());

  public ReckonerHealth {
    through = Map.copyOf(through);
    held = Map.copyOf(held);
    newestCompletion = Map.copyOf(newestCompletion);
  }

  /** Returns the health after a successful cycle. */
  ReckonerHealth after(
      Optional<OwnedLedger> owned,
      Map<String, Instant> completions,
      Instant at,
      Optional<String> newProblem) {
    if (owned.isEmpty()) {
      return new ReckonerHealth(
          false, through, held, pending, completions, Optional.of(at), clockAgrees, newProblem);
    }
    LedgerState state = owned.get().ledger().state();
    Completeness now = Completeness.of(state);
    Map<String, Instant> complete = new HashMap<>();
    now.through().forEach((name, time) -> time.ifPresent(known -> complete.put(name, known)));
    Map<String, String> reasons = new HashMap<>();
    now.held().forEach((name, why) -> reasons.put(name, why.map(Object::toString).orElse("")));
    return new ReckonerHealth(
        true,
        complete,
        reasons,
        state.pending().size(),
        completions,
        Optional.of(at),
        owned.get().clockAgrees(),
        newProblem);
  }

  public ReckonerHealth with(Optional<String> otherProblem) {
    return new ReckonerHealth(
        ours, through, held, pending, newestCompletion, lastCycle, clockAgrees, otherProblem);
  }
}
