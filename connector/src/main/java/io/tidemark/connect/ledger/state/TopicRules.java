package io.tidemark.connect.ledger.state;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * What keeps topics from being complete.
 *
 * @param others what holds for the topics that are not named
 * @param named what holds for one topic, by its name
 */
public record TopicRules(Rule others, Map<String, Rule> named) {

  public TopicRules {
    named = Map.copyOf(named);
  }

  /**
   * What keeps one topic from being complete.
   *
   * @param idleHolds a topic-partition must have landed a record of the time or later
   * @param holdOn the kinds of blocks that hold, beside {@link BlockKind#GAP}, which always does
   */
  public record Rule(boolean idleHolds, Set<BlockKind> holdOn) {

    public Rule {
      Set<BlockKind> kinds = EnumSet.of(BlockKind.GAP);
      kinds.addAll(holdOn);
      holdOn = Set.copyOf(kinds);
    }
  }

  /** One rule for all topics. */
  public static TopicRules ofAll(boolean idleHolds, Set<BlockKind> holdOn) {
    return new TopicRules(new Rule(idleHolds, holdOn), Map.of());
  }

  /** The rule for a topic. */
  public Rule of(String topic) {
    return named.getOrDefault(topic, others);
  }
}
