package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.health.HealthState;
import io.tidemark.connect.staging.Routing;
import io.tidemark.registry.wire.FramingReader;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.PartitionSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A batch ends before it touches more Hive partitions than allowed, and the other records are in
 * the next batch.
 */
class ManyHivePartitionsTest {
  private static final PartitionSpec BY_KEY = new FieldPartitioned(List.of("key"));
  private static final int MOST = TestTask.MOST_HIVE_PARTITIONS;

  private final Quotes quotes = new Quotes();

  @Test
  void batchEndsWhereItWouldTouchOneMore() throws Exception {
    quotes.produce(MOST + 5);

    quotes.land(task(MOST, 1_000));

    assertThat(batches()).extracting(batch -> batch.range().next()).containsExactly(20L, 25L);
    assertThat(batches()).extracting(batch -> batch.files().size()).containsExactly(20, 5);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  @Test
  void batchOfJustAsManyIsOne() throws Exception {
    for (int round = 0; round < 3; round++) {
      for (int key = 0; key < MOST; key++) {
        quotes.produce("k" + key);
      }
    }

    quotes.land(task(MOST, 1_000));

    assertThat(batches()).extracting(batch -> batch.files().size()).containsExactly(MOST);
  }

  @Test
  void oneHivePartitionABatchIsEnough() throws Exception {
    for (String key : List.of("a", "a", "b", "c", "c", "c", "a")) {
      quotes.produce(key);
    }

    quotes.land(task(1, 1_000));

    assertThat(batches()).extracting(batch -> batch.range().next()).containsExactly(2L, 3L, 6L, 7L);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** After the offset there is only a marker, not a record: the next record ends the batch. */
  @Test
  void offsetWithoutARecordAtTheEndIsPassedOver() throws Exception {
    quotes.produce(MOST);
    quotes.topic.marker(0);
    quotes.produce(MOST);
    quotes.topic.marker(0);
    quotes.produce(1);

    quotes.land(task(MOST, 1_000));

    assertThat(batches()).allMatch(batch -> batch.files().size() <= MOST);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
    assertThat(quotes.next()).isEqualTo(2 * MOST + 3);
  }

  /** The previous flush is still running when the next batch reaches the limit. */
  @Test
  void batchBehindAnotherOneEndsToo() throws Exception {
    quotes.produce(5 * MOST);

    quotes.land(task(MOST, MOST / 2));
    quotes.produce(5 * MOST);
    quotes.land(task(MOST, 3 * MOST));

    assertThat(batches()).allMatch(batch -> batch.files().size() <= MOST);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** A field with a value for each record. */
  @Test
  void recordThatNeedsMoreNewOnesThanADayMayHaveIsRefusedOnceTheOthersHaveLanded()
      throws Exception {
    for (String key : List.of("a", "b", "a")) {
      quotes.produce(key);
    }
    quotes.land(task(MOST, 1_000));
    for (String key : List.of("c", "a", "d", "b", "e", "a")) {
      quotes.produce(key);
    }
    try (TestTask task = task(TestTask.Limits.WIDE.perDay(4), 1_000)) {
      task.open(0);
      task.pollUntil(() -> task.pipeline.load().health() == HealthState.REFUSED);
      assertThat(task.pipeline.load().pausedBecause())
          .contains("quotes-0@7: it would create the Hive partition key=e of the table")
          .contains("of which 4 others changed in 24 hours (hive.partitions.per.day.max)")
          .contains("alter its offset of quotes-0 to 8");
      assertThat(quotes.keys())
          .as("b exists, although it is the fourth")
          .containsExactlyInAnyOrder("a", "b", "a", "c", "a", "d", "b");

      task.wakeAfter(Duration.ofDays(1).toMillis());
      task.pollUntilLanded(0);
    }
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  private TestTask task(int hivePartitions, long batchRecords) {
    return task(TestTask.Limits.WIDE.hivePartitions(hivePartitions), batchRecords);
  }

  private TestTask task(TestTask.Limits limits, long batchRecords) {
    return new TestTask(
        quotes.topic,
        quotes.storage,
        new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
        FramingReader::new,
        name -> Routing.toOne(TestTask.table(name, BY_KEY)),
        Optional.empty(),
        batchRecords,
        100,
        TestTask.BadRecords.STOP,
        limits,
        Clock.systemUTC(),
        OperatorConsent.NONE);
  }

  private List<CommitEntry.Batch> batches() throws Exception {
    return LandedRows.batches(quotes.storage, Quotes.LOG).stream()
        .filter(batch -> !batch.files().isEmpty())
        .toList();
  }
}
