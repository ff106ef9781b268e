package io.tidemark.connect.ledger;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random accounts (doubled, missing, out of order), logs that are folded, snapshots, topics made
 * again, losses and acknowledgements, against a model that knows each record.
 */
class ReckoningPropertyTest {

  @Property(tries = 300)
  void whatIsCompleteIsWhatTheModelSaysAndNothingIsMissing(@ForAll long seed) {
    ModelWorld world = new ModelWorld(seed);
    for (int step = 0; step < 60; step++) {
      world.step();
    }
    world.settleEverything();
  }
}
