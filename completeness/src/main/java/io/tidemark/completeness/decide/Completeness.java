package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The completeness of a ledger's tables ({@code default.orders}) and groups ({@code group:sales}).
 *
 * @param through the times through which they are complete
 * @param held why these times are not later; also why a topic ({@code topic:a_b}) has no table
 */
public record Completeness(
    Map<String, Optional<Instant>> through, Map<String, Optional<HeldBecause>> held) {

  public static Completeness of(LedgerState state) {
    Map<String, Optional<Instant>> through = new HashMap<>();
    Map<String, Optional<HeldBecause>> held = new HashMap<>();
    for (Map.Entry<String, TableState> table : state.tables().entrySet()) {
      through.put(table.getKey(), table.getValue().through());
      held.put(table.getKey(), table.getValue().held());
    }
    for (Map.Entry<String, GroupState> group : state.groups().entrySet()) {
      through.put("group:" + group.getKey(), group.getValue().through());
      held.put("group:" + group.getKey(), group.getValue().held());
    }
    for (Map.Entry<String, TopicState> topic : state.topics().entrySet()) {
      Optional<HeldBecause> why = topic.getValue().held();
      if (why.filter(because -> because.reason().equals("NAME_TAKEN")).isPresent()) {
        held.put("topic:" + topic.getKey(), why);
      }
    }
    return new Completeness(through, held);
  }

  Map<String, String> reasons() {
    Map<String, String> reasons = new HashMap<>();
    held.forEach((name, why) -> why.ifPresent(because -> reasons.put(name, because.reason())));
    return reasons;
  }
}
