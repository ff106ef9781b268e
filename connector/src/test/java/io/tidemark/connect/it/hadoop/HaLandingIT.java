package io.tidemark.connect.it.hadoop;

import io.tidemark.connect.it.hadoop.HaLanding.Outage;
import io.tidemark.connect.it.hadoop.HaLanding.Step;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lands each record once while name nodes fail. The name nodes have their retry cache. */
@OnHaStack
final class HaLandingIT {

  @Test
  void failOverByHandBetweenTheTemporaryFileAndTheRenameOfAnEntry(HaStack stack) throws Exception {
    lands(stack, Step.APPEND, Outage.FAIL_OVER);
  }

  @Test
  void formerActiveNameNodeThatWakesWithTheRenameOfAnEntryDoesNotRepeatIt(HaStack stack)
      throws Exception {
    lands(stack, Step.APPEND, Outage.HANG);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"APPEND"},
      mode = EnumSource.Mode.EXCLUDE)
  void failOverByHandAtEachStep(Step step, HaStack stack) throws Exception {
    lands(stack, step, Outage.FAIL_OVER);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(Step.class)
  void activeNameNodeIsKilledAtEachStep(Step step, HaStack stack) throws Exception {
    lands(stack, step, Outage.KILL);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"APPEND"},
      mode = EnumSource.Mode.EXCLUDE)
  void activeNameNodeHangsAndWakesAtEachStep(Step step, HaStack stack) throws Exception {
    lands(stack, step, Outage.HANG);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(Step.class)
  void activeNameNodeIsKilledAfterItsLastAnswerWasLost(Step step, HaStack stack) throws Exception {
    lands(stack, step, Outage.LOSE_ANSWER);
  }

  /** What the journal nodes have is not lost. */
  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"APPEND", "PUBLISH", "FOLD"})
  void changeIsKeptThatTheKilledNameNodeHadAcknowledged(Step step, HaStack stack) throws Exception {
    lands(stack, step, Outage.ACKNOWLEDGE);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(
      value = Step.class,
      names = {"WRITE", "APPEND", "PUBLISH"})
  void dataNodeAndActiveNameNodeLoseTheirPower(Step step, HaStack stack) throws Exception {
    lands(stack, step, Outage.LOSE_POWER);
  }

  @Tag("long")
  @Test
  void taskWaitsOutAPauseACutNetworkAndARottenBlockAtOnce(HaStack stack) throws Exception {
    try (HaLanding landing = new HaLanding(stack)) {
      landing.landsDespiteAPauseACutAndRot();
    }
  }

  private static void lands(HaStack stack, Step step, Outage outage) throws Exception {
    try (HaLanding landing = new HaLanding(stack)) {
      landing.lands(step, outage);
    }
  }
}
