package io.tidemark.connect.reckon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.ledger.Spans;
import io.tidemark.connect.ledger.entry.HivePartitionId;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.partition.PathFormat;
import io.tidemark.connect.table.partition.TimePartitioned;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimeSpansTest {
  private static final TableName ORDERS = new TableName("default", "orders");
  private static final long HALF_PAST_SEVEN = Instant.parse("2026-11-21T07:30:00Z").toEpochMilli();

  private static TimeSpans spans(String format, String zone) {
    return new TimeSpans(
        Map.of(
            ORDERS,
            new TimePartitioned(
                PathFormat.parse(format, Locale.ROOT),
                ZoneId.of(zone),
                Duration.ofHours(1),
                Optional.empty())));
  }

  private static HivePartitionId id(String path) {
    return new HivePartitionId(ORDERS, HivePartition.parse(path));
  }

  @Test
  void spanIsThatOfTheHivePartition() {
    assertThat(
            spans("'dt'=yyyy-MM-dd/'hour'=HH", "UTC")
                .of(id("dt=2026-11-21/hour=07"), HALF_PAST_SEVEN))
        .contains(
            new Spans.Span(
                Instant.parse("2026-11-21T07:00:00Z"), Instant.parse("2026-11-21T08:00:00Z")));
  }

  @Test
  void hivePartitionThatYesterdaysConfigurationMadeHasNone() {
    HivePartitionId hour = id("dt=2026-11-21/hour=07");
    assertThat(spans("'dt'=yyyy-MM-dd", "UTC").of(hour, HALF_PAST_SEVEN)).isEmpty();
    assertThat(spans("'dt'=yyyy-MM-dd/'hour'=HH", "Europe/Berlin").of(hour, HALF_PAST_SEVEN))
        .isEmpty();
    assertThat(new TimeSpans(Map.of()).of(hour, HALF_PAST_SEVEN)).isEmpty();
  }

  @Test
  void yearOfTwoDigitsAndTimesThatNoPathCanNameHaveNone() {
    assertThat(spans("'dt'=yy-MM-dd", "UTC").of(id("dt=26-11-21"), HALF_PAST_SEVEN)).isEmpty();
    assertThat(
            spans("'dt'=yyyy-MM-dd", "UTC")
                .of(id("dt=10000-01-01"), Instant.parse("+10000-01-01T00:00:00Z").toEpochMilli()))
        .isEmpty();
  }
}
