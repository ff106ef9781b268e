package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Counts the false statements that the rules of other systems would make in the histories of the
 * ledger's tests. Tidemark's own statements are checked by {@link ModelWorld}, which fails at the
 * first false one.
 */
class RulesOfOthersTest {
  private static final int HISTORIES = 2_000;

  /** One of the first seeds for which several rules state what is false. */
  private static final long FIRST = 1_200;

  /** No further history is tried once so many rules have stated what is false. */
  private static final int FALSE_RULES = 3;

  private static final int STEPS = 80;

  /** Other sinks commit all topic-partitions together, at intervals. */
  private static final int STEPS_A_COMMIT = 16;

  private static Map<String, OtherRule> rules() {
    Map<String, OtherRule> rules = new LinkedHashMap<>();
    rules.put("Gobblin, ratio 0.999", OtherRule.gobblin(0.999));
    rules.put("Gobblin, ratio 0.9", OtherRule.gobblin(0.9));
    rules.put("Iceberg, valid through", OtherRule.iceberg());
    rules.put("Flink, process time", OtherRule.flinkByProcessTime(Duration.ofHours(1)));
    rules.put("Flink, partition time", OtherRule.flinkByPartitionTime(1));
    return rules;
  }

  @Test
  void rulesOfOthersStateFalselyOverHistoriesOfWhichTheLedgerStatesAllTruly() {
    Map<String, Integer> stated = new LinkedHashMap<>();
    Map<String, Integer> falsely = new LinkedHashMap<>();
    int ours = 0;
    for (long seed = FIRST; seed < FIRST + HISTORIES && count(falsely) < FALSE_RULES; seed++) {
      ModelWorld world = new ModelWorld(seed, false);
      Map<String, OtherRule> rules = rules();
      for (int step = 0; step < STEPS; step++) {
        world.step();
        if (step % STEPS_A_COMMIT == 0) {
          rules.values().forEach(rule -> rule.look(world.topics(), world.now()));
        }
      }
      rules.forEach(
          (name, rule) -> {
            stated.merge(name, rule.statements(), Integer::sum);
            falsely.merge(name, rule.falsely(), Integer::sum);
          });
      world.settleEverything();
      ours += world.statements();
    }

    System.out.printf("rules: Tidemark: %d statements, 0 false%n", ours);
    stated.forEach(
        (name, count) ->
            System.out.printf(
                "rules: %s: %d statements, %d false%n", name, count, falsely.get(name)));
    assertThat(ours).isPositive();
    assertThat(count(falsely)).isEqualTo(FALSE_RULES);
  }

  /** The number of rules that have stated what is false. */
  private static long count(Map<String, Integer> falsely) {
    return falsely.values().stream().filter(count -> count > 0).count();
  }

  /** The hour has two thousand records. One of them has not landed. */
  @Test
  void ratioOf999InAThousandIsReachedWithoutAllRecords() {
    ModelTopic topic = new ModelTopic("orders", Scene.ORDERS, 1);
    for (int offset = 0; offset < 2_000; offset++) {
      ModelTopic.Row row =
          new ModelTopic.Row(0, topic.topicId(), offset, 0, ModelTopic.START.plusSeconds(1));
      row.settled = offset > 0;
      row.landed = offset > 0;
      topic.parts.get(0).rows.add(row);
    }
    OtherRule rule = OtherRule.gobblin(0.999);

    rule.look(List.of(topic), ModelTopic.from(1).plus(Duration.ofMinutes(2)));

    assertThat(rule.statements()).isEqualTo(1);
    assertThat(rule.falsely()).isEqualTo(1);
  }
}
