package io.tidemark.connect.reckon;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * How the reckoner is doing, for metrics. Immutable.
 *
 * @param ours whether the ledger is claimed by this reckoner
 * @param through by table and group, how far it is complete; {@code default.orders}, {@code
 *     group:sales}
 * @param held by table and group, why it is not complete further; by topic, {@code topic:a_b},
 *     where it has no table
 * @param pending snapshots that are not covered
 * @param newestCompletion when a Hive partition was last shown to be complete by this reckoner, by
 *     table
 * @param lastCycle when a cycle last ended well, by the reckoner's clock
 * @param clockAgrees whether the clocks of the reckoner and of the store agree
 * @param problem what is wrong now: place, problem, cause, cure
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

  /** Before the first cycle. */
  public static final ReckonerHealth NONE =
      new ReckonerHealth(
          false, Map.of(), Map.of(), 0, Map.of(), Optional.empty(), true, Optional.empty());

  public ReckonerHealth {
    through = Map.copyOf(through);
    held = Map.copyOf(held);
    newestCompletion = Map.copyOf(newestCompletion);
  }

  ReckonerHealth with(Optional<String> otherProblem) {
    return new ReckonerHealth(
        ours, through, held, pending, newestCompletion, lastCycle, clockAgrees, otherProblem);
  }
}
