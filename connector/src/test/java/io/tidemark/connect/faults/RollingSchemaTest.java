package io.tidemark.connect.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.partition.PartitionSpec;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Producers switch to a later schema one after another, while their records land. */
class RollingSchemaTest {
  private static final int TOPIC_PARTITIONS = 4;
  private static final int RECORDS = 400;
  private static final Landing LANDING =
      new Landing(PartitionSpec.NONE, 10_000, 100, 500, 100, NullValues.FAIL, 0);

  @Test
  void recordsOfTwoSchemasLandInAsManyFilesAsThoseOfOne() {
    var random = new Random(11);

    Verdict alternating = land(random::nextBoolean);
    Verdict laterOnly = land(() -> true);

    assertThat(alternating.good()).as(alternating.toString()).isTrue();
    assertThat(laterOnly.good()).as(laterOnly.toString()).isTrue();
    assertThat(alternating.files()).isEqualTo(laterOnly.files()).isEqualTo(2 * TOPIC_PARTITIONS);
  }

  /** Lands records of the earlier schema, then the records that are produced during the switch. */
  private static Verdict land(BooleanSupplier later) {
    var world = new World(1, LANDING);
    for (int partition = 0; partition < TOPIC_PARTITIONS; partition++) {
      var topicPartition = new TopicPartition("quotes", partition);
      world.kafka().create(topicPartition);
    }
    world.assign(world.kafka().topicPartitions(), world.startTask(), false);
    produce(world, () -> false);
    world.after().awaitLanded();
    produce(world, later);
    world.after().awaitLanded();
    world.after().restart();
    return Verdict.of(world);
  }

  private static void produce(World world, BooleanSupplier later) {
    for (TopicPartition topicPartition : world.kafka().topicPartitions()) {
      for (int i = 0; i < RECORDS; i++) {
        world
            .kafka()
            .produce(
                topicPartition, 0, later.getAsBoolean() ? RecordKind.LATER : RecordKind.EARLIER);
      }
    }
  }
}
