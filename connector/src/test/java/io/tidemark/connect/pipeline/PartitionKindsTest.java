package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.batch.NullValues;
import io.tidemark.store.partition.ByLength;
import io.tidemark.store.partition.CustomPartitioned;
import io.tidemark.store.partition.FieldAndTimePartitioned;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.partition.TopicPartitioned;
import io.tidemark.store.table.HiveDirectories;
import io.tidemark.store.table.TableLayout;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tables that are divided by other things than only time or fields. */
class PartitionKindsTest {
  private static final long HOUR_MS = 3_600_000;

  private final Quotes quotes = new Quotes();

  @Test
  void recordsOfEachTopicPartitionLieInADirectoryOfItsNumber() throws Exception {
    quotes.produce(40);
    byte[] ofAnother = quotes.topic.fetch(0, 0, 1).get(0).value().orElseThrow();
    quotes.topic.produce(1, ofAnother);
    try (TestTask task = quotes.task(new TopicPartitioned(), Optional.empty())) {
      task.open(0, 1);
      task.pollUntilLanded(0, 1);
    }

    assertThat(partitions(new TopicPartitioned()))
        .containsExactlyInAnyOrder("partition=0", "partition=1");
    assertThat(LandedRows.keys(quotes.storage, Quotes.ROOT.child("partition=1")))
        .containsExactly("k0");
    assertThat(LandedRows.keys(quotes.storage, Quotes.ROOT.child("partition=0")))
        .containsExactlyElementsOf(quotes.produced);
  }

  @Test
  void fieldsStandAboveTheTime() throws Exception {
    for (String key : List.of("a", "b", "a", "a", "b")) {
      quotes.produce(
          Quotes.SCHEMA_ID, Quotes.SCHEMA, key, quotes.produced.size() % 3 * HOUR_MS + 1);
    }
    PartitionSpec mixed =
        new FieldAndTimePartitioned(FieldPartitioned.parse("key"), hourly("price"));
    quotes.land(quotes.task(mixed, Optional.empty()));

    assertThat(partitions(mixed))
        .containsExactlyInAnyOrder("key=a/hour=00", "key=b/hour=01", "key=a/hour=02");
    assertThat(LandedRows.keys(quotes.storage, Quotes.ROOT.child("key=a/hour=00")))
        .containsExactly("a", "a");
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** The value is a column of its own, and the time is also read from it. */
  @Test
  void timesFieldMayBeAColumnToo() throws Exception {
    quotes.produce(Quotes.SCHEMA_ID, Quotes.SCHEMA, "a", 7 * HOUR_MS);
    PartitionSpec mixed =
        new FieldAndTimePartitioned(FieldPartitioned.parse("price"), hourly("price"));
    quotes.land(quotes.task(mixed, Optional.empty()));

    assertThat(partitions(mixed)).containsExactly("price=25200000/hour=07");
  }

  @Test
  void classOfTheUsersSaysWhereRecordsLie() throws Exception {
    for (String key : List.of("", "a", "abcd", "abc", "abcde")) {
      quotes.produce(key);
    }
    PartitionSpec byLength = byLength();
    quotes.land(quotes.task(byLength, Optional.empty()));

    assertThat(partitions(byLength))
        .containsExactlyInAnyOrder(
            "source=quotes-0/length=0", "source=quotes-0/length=2", "source=quotes-0/length=4");
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  @Test
  void recordThatTheClassRefusesIsADeadLetter() throws Exception {
    quotes.produce(10);
    quotes.produce(ByLength.NOWHERE);
    quotes.produced.remove(ByLength.NOWHERE);
    FakeDeadLetterQueue letters = new FakeDeadLetterQueue();
    try (TestTask task =
        new TestTask(
            quotes.topic,
            quotes.storage,
            new OneSchema(Quotes.SCHEMA, Quotes.SCHEMA_ID),
            byLength(),
            Optional.empty(),
            1_000,
            100,
            new TestTask.BadRecords(Optional.of(letters), NullValues.FAIL, 10))) {
      task.open(0);
      task.pollUntilLanded(0);
    }

    assertThat(letters.offsets()).containsExactly(10L);
    assertThat(quotes.keys()).containsExactlyInAnyOrderElementsOf(quotes.produced);
  }

  /** If the partitioner's class fails, its error names the class and not the record. */
  @Test
  void classThatFailsStopsTheTaskWithTheCure() throws Exception {
    for (String key : List.of(ByLength.BUG, ByLength.ONE_VALUE)) {
      Quotes broken = new Quotes();
      broken.produce(key);

      assertThat(broken.landOrStop(broken.task(byLength(), Optional.empty())).orElseThrow())
          .hasMessageContaining("partitioner.class=" + ByLength.class.getName())
          .hasMessageContaining("of quotes-0")
          .hasMessageContaining("Correct the class");

      assertThat(broken.keys()).isEmpty();
    }
  }

  private static CustomPartitioned byLength() {
    return CustomPartitioned.load(ByLength.class.getName(), Map.of("step", "2"));
  }

  private static TimePartitioned hourly(String field) {
    return new TimePartitioned(
        PathFormat.parse("'hour'=HH", Locale.ROOT),
        ZoneOffset.UTC,
        Duration.ofHours(1),
        Optional.of(field),
        TimestampField.Unit.MILLIS);
  }

  private List<String> partitions(PartitionSpec spec) throws IOException {
    return new HiveDirectories(quotes.storage, new TableLayout(Quotes.ROOT))
        .partitions(spec.columns()).stream().map(HivePartition::path).toList();
  }
}
