package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Numbers of seconds that are read as milliseconds land in January 1970. */
final class EarlyTimesTest {
  private static final Instant SECONDS = Instant.ofEpochMilli(1_795_242_600);

  @Test
  void timesOfAFieldBefore1990AreEarly() {
    Table byField = table(Optional.of("at"));
    DataFile early = file(byField, SECONDS);
    assertThat(BatchCommit.areEarly(List.of(byField), List.of(early))).isTrue();

    DataFile now = file(byField, Instant.parse("2026-11-21T06:30:00Z"));
    assertThat(BatchCommit.areEarly(List.of(byField), List.of(early, now))).isFalse();
    Table byKafka = table(Optional.empty());
    assertThat(BatchCommit.areEarly(List.of(byKafka), List.of(file(byKafka, SECONDS)))).isFalse();
    Table whole = TestTask.table("quotes", PartitionSpec.NONE);
    assertThat(BatchCommit.areEarly(List.of(whole), List.of(file(whole, SECONDS)))).isFalse();
  }

  private static Table table(Optional<String> field) {
    return TestTask.table(
        "quotes",
        new TimePartitioned(
            PathFormat.parse("'dt'=yyyy-MM-dd", Locale.ROOT),
            ZoneOffset.UTC,
            Duration.ofDays(1),
            field,
            TimestampField.Unit.MILLIS));
  }

  private static DataFile file(Table table, Instant latest) {
    return new DataFile(
        table.name(),
        new StoragePath("/topics/quotes/.staging/1.avro"),
        new StoragePath("/topics/quotes/1.avro"),
        HivePartition.parse(""),
        1,
        100,
        "null",
        1,
        List.of("1"),
        0,
        0,
        0,
        latest.toEpochMilli());
  }
}
