package io.tidemark.completeness.decide;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the ledger with a model that knows each record. The histories have random accounts
 * (doubled, missing, out of order), folded logs, snapshots, recreated topics, losses and
 * acknowledgements.
 */
class ReckoningPropertyTest {

  @Property(tries = 300)
  void whatIsCompleteIsWhatTheModelSaysAndNothingIsMissing(@ForAll long seed) {
    run(seed);
  }

  /** The files of an earlier generation are not known if its entries were folded. */
  @ParameterizedTest
  @ValueSource(longs = {338, 4038, 5015, 5138})
  void totalsSayThatFilesOfAnEarlierGenerationAreNotKnown(long seed) {
    run(seed);
  }

  private static void run(long seed) {
    ModelWorld world = new ModelWorld(seed);
    for (int step = 0; step < 60; step++) {
      world.step();
    }
    world.settleEverything();
  }
}
