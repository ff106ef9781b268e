package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.LedgerState;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The completeness of a ledger's tables ({@code default.orders}) and groups ({@code group:sales}).
 *
 * @param through the times through which they are complete
 * @param held why these times are not later; by topic, such as {@code topic:a_b}, why the topic has
 *     no table
 */
record Completeness(
    Map<String, Optional<Instant>> through, Map<String, Optional<HeldBecause>> held) {

  static Completeness of(LedgerState state) {
    Map<String, Optional<Instant>> through = new HashMap<>();
    Map<String, Optional<HeldBecause>> held = new HashMap<>();
    state
        .tables()
        .forEach(
            (name, table) -> {
              through.put(name, table.through());
              held.put(name, table.held());
            });
    state
        .groups()
        .forEach(
            (name, group) -> {
              through.put("group:" + name, group.through());
              held.put("group:" + name, group.held());
            });
    state
        .topics()
        .forEach(
            (name, topic) ->
                topic
                    .held()
                    .filter(because -> because.reason().equals("NAME_TAKEN"))
                    .ifPresent(because -> held.put("topic:" + name, Optional.of(because))));
    return new Completeness(through, held);
  }

  /** Returns the reasons without their details. */
  Map<String, String> reasons() {
    Map<String, String> reasons = new HashMap<>();
    held.forEach((name, why) -> why.ifPresent(because -> reasons.put(name, because.reason())));
    return reasons;
  }
}
