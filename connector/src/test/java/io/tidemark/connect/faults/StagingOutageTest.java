package io.tidemark.connect.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.NullValues;
import io.tidemark.store.partition.PartitionSpec;
import org.junit.jupiter.api.Test;

/**
 * A table accepts no files for a long time, for example because its quota is exhausted, while the
 * log accepts entries.
 */
class StagingOutageTest {
  private static final long OUTAGE_MS = 3_600_000;
  private static final Landing LANDING =
      new Landing(PartitionSpec.NONE, 100, 100, 500, 100, NullValues.FAIL, 0);
  private static final TopicPartition QUOTES = new TopicPartition("quotes", 0);

  @Test
  void tableThatTakesNoFilesForAnHourDoesNotFillTheLogWithClaims() throws Exception {
    var world = new World(1, LANDING);
    world.kafka().create(QUOTES);
    for (int i = 0; i < 100; i++) {
      world.kafka().produce(QUOTES, 0, RecordKind.EARLIER);
    }
    world.fates(
        (process, call) ->
            call.startsWith("storage create") && call.contains("/.staging/")
                ? Fate.FAILS
                : Fate.SUCCEEDS);
    world.assign(world.kafka().topicPartitions(), world.startTask(), false);
    world.simulation().run(OUTAGE_MS);

    assertThat(world.log(QUOTES).after(0)).hasSizeBetween(10, 100);
    world.after().settle();
    world.after().restart();
    Verdict verdict = Verdict.of(world);
    assertThat(verdict.good()).as(verdict.toString()).isTrue();
  }
}
