package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.BatchVerdict;
import io.tidemark.completeness.ledger.HeldBecause;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Compares the ledger's statements about announced batches with the records of Kafka. */
class AnnouncedBatchesPropertyTest {

  @Property(tries = 300)
  void batchIsCompleteExactlyWhenAllOfItsRecordsAreCounted(@ForAll long seed) {
    AnnouncedWorld world = new AnnouncedWorld(seed);
    for (int step = 0; step < 80; step++) {
      world.step();
      saysNothingFalse(world);
    }
    world.settleEverything(() -> saysNothingFalse(world));
    AnnouncementsState state = world.state();
    state
        .open()
        .forEach(
            (id, batch) ->
                assertThat(reason(batch))
                    .as("batch %s of %s", id, world)
                    .isEqualTo(due(world, id)));
  }

  private static String reason(AnnouncedBatch batch) {
    return batch.verdict().isEmpty()
        ? "OPEN"
        : batch.verdict().flatMap(BatchVerdict::held).map(HeldBecause::reason).orElse("COMPLETE");
  }

  /** The statement that must exist once everything has landed. */
  private static String due(AnnouncedWorld world, String id) {
    AnnouncedBatch batch = world.batch(id);
    boolean over = false;
    boolean unknown = false;
    boolean missing = false;
    for (var each : batch.records().entrySet()) {
      long counted = world.taken(each.getKey(), id, false);
      over |= counted > each.getValue();
      unknown |= world.tainted(each.getKey()) && counted <= each.getValue();
      missing |= counted < each.getValue();
    }
    if (!over && world.wasComplete(id)) {
      return "COMPLETE"; // A statement remains unless more records have arrived.
    }
    return over ? "OVER" : unknown ? "UNKNOWN" : missing ? "SHORT" : "COMPLETE";
  }

  private static void saysNothingFalse(AnnouncedWorld world) {
    world
        .state()
        .open()
        .forEach(
            (id, batch) -> {
              if (!batch.complete() || !world.isNews(id)) {
                return;
              }
              batch
                  .records()
                  .forEach(
                      (topic, announced) -> {
                        assertThat(world.taken(topic, id, true))
                            .as("%s of %s in %s", id, topic, world)
                            .isEqualTo(announced);
                        assertThat(world.heldWhenAnnounced(topic, id))
                            .as("%s of %s is below what has landed: %s", id, topic, world)
                            .isLessThanOrEqualTo(world.landed(topic));
                      });
            });
  }
}
