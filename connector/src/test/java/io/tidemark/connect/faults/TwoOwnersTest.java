package io.tidemark.connect.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.intake.LandingException;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.partition.PartitionSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two tasks receive the records of the same topic-partition, and neither is asked to release it.
 */
class TwoOwnersTest {
  private static final int ROUNDS = 1_000;
  private static final long ROUND_MS = 500;
  private static final Landing LANDING =
      new Landing(PartitionSpec.NONE, 100, 100, 300, 100, NullValues.FAIL, 0);
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 0);

  @Test
  void oneOfTwoOwnersGivesUpAndNamesTheOtherAndNothingLandsTwice() {
    var world = new World(1, LANDING);
    world.kafka().create(QUOTES);
    SimulatedTask zombie = world.startTask();
    SimulatedTask owner = world.startTask();
    world.assign(List.of(QUOTES), zombie, false);
    zombie.process().fallAsleep();
    world.assign(List.of(QUOTES), owner, false);
    zombie.hearsAfter(Integer.MAX_VALUE);
    zombie.process().wake();

    Optional<LandingException> failure = Optional.empty();
    for (int round = 0; round < ROUNDS && failure.isEmpty(); round++) {
      world.kafka().produce(QUOTES, 0, RecordKind.EARLIER);
      world.simulation().run(ROUND_MS);
      failure = Stream.of(zombie, owner).flatMap(task -> task.failure().stream()).findFirst();
    }

    assertThat(failure.orElseThrow())
        .hasMessageContaining("of connector quotes on worker (claim ")
        .hasMessageContaining("Both tasks receive the records of quotes-0");
    assertThat(Verdict.of(world).doubled()).isEmpty();
  }
}
