package io.tidemark.connect.it.hadoop;

import io.tidemark.connect.it.hadoop.HaLanding.Outage;
import io.tidemark.connect.it.hadoop.HaLanding.Step;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Lands each record once while answers are lost. Without their retry cache, name nodes answer a
 * call that the client repeats as if it were a new one: the source of a rename is missing, or a
 * file that is created exists.
 */
@OnHaStack
final class HaWithoutRetryCacheIT {

  @BeforeAll
  static void switchRetryCacheOff(HaStack stack) {
    stack.hdfs().restartNameNodes(Map.of("dfs.namenode.enable.retrycache", "false"));
  }

  @AfterAll
  static void switchRetryCacheOn(HaStack stack) {
    stack.hdfs().restartNameNodes(Map.of());
  }

  @Test
  void entryWhoseRenameLostItsAnswerIsFoundAppended(HaStack stack) throws Exception {
    lands(stack, Step.APPEND, Outage.LOSE_ANSWER);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"APPEND"},
      mode = EnumSource.Mode.EXCLUDE)
  void eachStepThatLostItsAnswerIsFoundDone(Step step, HaStack stack) throws Exception {
    lands(stack, step, Outage.LOSE_ANSWER);
  }

  private static void lands(HaStack stack, Step step, Outage outage) throws Exception {
    try (HaLanding landing = new HaLanding(stack)) {
      landing.lands(step, outage);
    }
  }
}
