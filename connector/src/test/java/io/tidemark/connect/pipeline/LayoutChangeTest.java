package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.table.partition.FieldPartitioned;
import io.tidemark.connect.table.partition.PartitionSpec;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Settings that change how a table is laid out, or whether Hive knows it, once it stands. */
final class LayoutChangeTest {
  private static final PartitionSpec BY_KEY = FieldPartitioned.parse("key");

  private final Quotes quotes = new Quotes();
  private final FakeCatalog catalog = new FakeCatalog();

  @Test
  @Disabled(
      "issue 20, a log that is true: today the batch is committed to key=y before the Metastore"
          + " refuses its partition column")
  void changedPartitioningOfAStandingTableIsRefusedBeforeTheCommit() throws Exception {
    quotes.produce("x");
    land(PartitionSpec.NONE);
    quotes.produce("y");

    Optional<LandingException> refusal = quotes.landOrStop(registering(BY_KEY));

    assertThat(quotes.next()).isEqualTo(1);
    assertThat(quotes.keys()).containsExactly("x");
    assertThat(refusal).isPresent();
  }

  @Test
  @Disabled(
      "issue 20, a log that is true: today the batch is committed outside of key=, and the"
          + " Metastore refuses it afterwards")
  void partitionedTableThatWouldLoseItsColumnsKeepsItsPartitionsAndTakesNoBatch() throws Exception {
    quotes.produce("x");
    land(BY_KEY);
    quotes.produce("y");

    Optional<LandingException> refusal = quotes.landOrStop(registering(PartitionSpec.NONE));

    assertThat(quotes.next()).isEqualTo(1);
    assertThat(quotes.keys()).containsExactly("x");
    assertThat(catalog.partitions()).containsExactly("key=x");
    assertThat(refusal).isPresent();
  }

  @Test
  @Disabled(
      "issue 20, a log that is true: today the task stops at every start, because the batch that was"
          + " committed with the changed partitioning cannot be registered")
  void partitioningThatIsPutBackLandsWhatWasRefused() throws Exception {
    quotes.produce("x");
    land(PartitionSpec.NONE);
    quotes.produce("y");
    quotes.landOrStop(registering(BY_KEY));

    land(PartitionSpec.NONE);

    assertThat(quotes.keys()).containsExactly("x", "y");
    assertThat(catalog.partitions()).isEmpty();
  }

  @Test
  @Disabled(
      "issue 20, a log that is true: today only the last of the batches before"
          + " hive.integration was switched on is registered")
  void hivePartitionsThatLandedBeforeHiveWasSwitchedOnAreRegistered() throws Exception {
    for (String key : List.of("u", "v", "w", "x")) {
      quotes.produce(key);
      quotes.land(quotes.task(BY_KEY, Optional.empty()));
    }
    for (String key : List.of("y", "z")) {
      quotes.produce(key);
      land(BY_KEY);
    }
    assertThat(catalog.partitions())
        .containsExactlyInAnyOrder("key=u", "key=v", "key=w", "key=x", "key=y", "key=z");
  }

  /** Lands and registers all that the topic has. */
  private void land(PartitionSpec partitioning) {
    try (TestTask task = registering(partitioning)) {
      task.open(0);
      task.pollUntilLanded(0);
      task.pollUntil(() -> task.pipeline.load().filesToRegister() == 0);
    }
  }

  private TestTask registering(PartitionSpec partitioning) {
    return quotes.task(partitioning, Optional.of(catalog.registrar(quotes.storage)));
  }
}
