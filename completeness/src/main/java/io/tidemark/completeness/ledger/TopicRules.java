package io.tidemark.completeness.ledger;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The rules of topics: which kinds of holds prevent a topic from being complete, and whether idle
 * topic-partitions do. {@code others} is for topics that are not {@code named}.
 */
public record TopicRules(Rule others, Map<String, Rule> named) {

  public TopicRules {
    named = Map.copyOf(named);
  }

  /**
   * The rule of one topic.
   *
   * @param idleHolds whether each topic-partition must have landed a record with an event time at
   *     or after the snapshot's {@code through}
   * @param holdOn the kinds of holds that prevent completeness; {@link HoldKind#GAP} always does
   */
  public record Rule(boolean idleHolds, Set<HoldKind> holdOn) {

    public Rule {
      Set<HoldKind> kinds = EnumSet.of(HoldKind.GAP);
      kinds.addAll(holdOn);
      holdOn = Set.copyOf(kinds);
    }
  }

  public Rule of(String topic) {
    return named.getOrDefault(topic, others);
  }

  public boolean prevents(Hold hold) {
    return hold.open() && of(hold.topic()).holdOn().contains(hold.kind());
  }
}
