package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpan;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TimeSpansTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final TableName ORDERS = new TableName("default", "orders");
  private static final long HALF_PAST_SEVEN = Instant.parse("2026-11-21T07:30:00Z").toEpochMilli();

  private static TimeSpans spans(String format, String zone) {
    return spans(format, zone, Duration.ofHours(1));
  }

  private static TimeSpans spans(String format, String zone, Duration duration) {
    return new TimeSpans(
        Map.of(
            ORDERS,
            new TimePartitioned(
                PathFormat.parse(format, Locale.ROOT),
                ZoneId.of(zone),
                duration,
                Optional.empty(),
                TimestampField.Unit.MILLIS)),
        Set.of());
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
            new PartitionSpan(
                HivePartition.parse("dt=2026-11-21/hour=07"),
                Instant.parse("2026-11-21T07:00:00Z"),
                Instant.parse("2026-11-21T08:00:00Z")));
  }

  @Test
  void hivePartitionThatYesterdaysConfigurationMadeHasNone() {
    HivePartitionId hour = id("dt=2026-11-21/hour=07");
    assertThat(spans("'dt'=yyyy-MM-dd", "UTC").of(hour, HALF_PAST_SEVEN)).isEmpty();
    assertThat(spans("'dt'=yyyy-MM-dd/'hour'=HH", "Europe/Berlin").of(hour, HALF_PAST_SEVEN))
        .isEmpty();
    assertThat(new TimeSpans(Map.of(), Set.of()).of(hour, HALF_PAST_SEVEN)).isEmpty();
  }

  @Test
  void timeBelowAFieldHasItsSpanToo() {
    assertThat(
            spans("'dt'=yyyy-MM-dd/'hour'=HH", "UTC")
                .of(id("region=west/dt=2026-11-21/hour=07"), HALF_PAST_SEVEN))
        .contains(
            new PartitionSpan(
                HivePartition.parse("dt=2026-11-21/hour=07"),
                Instant.parse("2026-11-21T07:00:00Z"),
                Instant.parse("2026-11-21T08:00:00Z")));
  }

  @Test
  void yearOfTwoDigitsAndTimesThatNoPathCanNameHaveNone() {
    assertThat(spans("'dt'=yy-MM-dd", "UTC").of(id("dt=26-11-21"), HALF_PAST_SEVEN)).isEmpty();
    assertThat(
            spans("'dt'=yyyy-MM-dd", "UTC")
                .of(id("dt=10000-01-01"), Instant.parse("+10000-01-01T00:00:00Z").toEpochMilli()))
        .isEmpty();
  }

  private static TimeSpans withEmpties(String format, String zone, Duration duration) {
    return new TimeSpans(spans(format, zone, duration).tables(), Set.of(ORDERS));
  }

  /** The paths of a day in Berlin, one Hive partition after the other. */
  private static List<String> walked(String format, Duration duration, String from, String until) {
    TimeSpans spans = withEmpties(format, "Europe/Berlin", duration);
    List<String> paths = new ArrayList<>();
    Instant at = Instant.parse(from);
    while (at.isBefore(Instant.parse(until))) {
      PartitionSpan next = spans.at(ORDERS, at).orElseThrow();
      assertThat(next.from()).isBeforeOrEqualTo(at);
      paths.add(next.partition().path());
      at = next.until();
    }
    assertThat(at).isEqualTo(Instant.parse(until));
    return paths;
  }

  @Test
  void daysOnWhichClocksChangeHaveEachHourThatThereIsOnce() {
    String hours = "'dt'=yyyy-MM-dd/'hour'=HH";
    assertThat(walked(hours, HOUR, "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"))
        .hasSize(24)
        .doesNotHaveDuplicates();
    assertThat(walked(hours, HOUR, "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"))
        .hasSize(23)
        .doesNotHaveDuplicates()
        .doesNotContain("dt=2026-03-29/hour=02");
  }

  @Test
  void minutesThatComeTwiceAreEachWalkedOnce() {
    assertThat(
            walked(
                "'dt'=yyyy-MM-dd/'minute'=HHmm",
                Duration.ofMinutes(1),
                "2026-10-24T22:00:00Z",
                "2026-10-25T23:00:00Z"))
        .hasSize(24 * 60)
        .doesNotHaveDuplicates();
  }

  @Test
  void noneIsMadeWherePathsComeAgainOrNobodyAsksForIt() {
    Instant instant = Instant.ofEpochMilli(HALF_PAST_SEVEN);
    assertThat(withEmpties("'hour'=HH", "UTC", HOUR).at(ORDERS, instant)).isEmpty();
    assertThat(spans("'dt'=yyyy-MM-dd", "UTC").at(ORDERS, instant)).isEmpty();
    assertThat(withEmpties("'dt'=yyyy-MM-dd", "UTC", HOUR).at(new TableName("a", "b"), instant))
        .isEmpty();
    assertThat(
            withEmpties("'dt'=yyyy-MM-dd", "UTC", HOUR)
                .at(ORDERS, Instant.parse("-0001-01-01T00:00:00Z")))
        .isEmpty();
  }
}
