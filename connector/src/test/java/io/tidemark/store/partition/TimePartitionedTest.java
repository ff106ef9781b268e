package io.tidemark.store.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TimePartitionedTest {
  private static final PathFormat HOURS =
      PathFormat.parse("'dt'=yyyy-MM-dd/'hour'=HH", Locale.ENGLISH);

  @Test
  void timesLieInTheirZonesHour() throws Exception {
    assertThat(path("Europe/Berlin", Duration.ofHours(1), "2026-11-21T06:59:59.999Z"))
        .isEqualTo("dt=2026-11-21/hour=07");
    assertThat(path("Asia/Kolkata", Duration.ofHours(1), "2026-11-21T19:15:00Z"))
        .isEqualTo("dt=2026-11-22/hour=00");
  }

  @Test
  void bucketLongerThanTheFormatPointsToItsStart() throws Exception {
    assertThat(path("UTC", Duration.ofHours(6), "2026-11-21T07:30:00Z"))
        .isEqualTo("dt=2026-11-21/hour=06");
  }

  @Test
  void timesBefore1970LieInTheBucketThatHoldsThem() throws Exception {
    assertThat(path("UTC", Duration.ofHours(1), "1969-12-31T23:59:59.999Z"))
        .isEqualTo("dt=1969-12-31/hour=23");
  }

  @Test
  void daysOfAChangeOfTheClockAreOneBucket() throws Exception {
    PartitionAssigner assigner = spec("Europe/Berlin", Duration.ofDays(1)).assigner();
    for (String time :
        new String[] {"2026-10-24T22:00:00Z", "2026-10-25T00:59:59Z", "2026-10-25T22:59:59Z"}) {
      assertThat(assigner.assign(Instant.parse(time).toEpochMilli()).path())
          .as(time)
          .isEqualTo("dt=2026-10-25/hour=00");
    }
  }

  @Test
  void timesOutsideTheYears1To9999AreRefused() {
    PartitionAssigner assigner = spec("UTC", Duration.ofHours(1)).assigner();

    assertThatThrownBy(() -> assigner.assign(1_795_000_000_000_000L))
        .isInstanceOf(UnusablePartitionException.class)
        .hasMessageContaining("timestamp-micros");
    assertThatThrownBy(() -> assigner.assign(Long.MIN_VALUE))
        .isInstanceOf(UnusablePartitionException.class);
  }

  @Test
  void yearsAreThoseOfTheTablesZone() throws Exception {
    assertThat(path("Europe/Berlin", Duration.ofHours(1), "0000-12-31T23:06:32Z"))
        .isEqualTo("dt=0001-01-01/hour=00");
    assertThat(path("America/New_York", Duration.ofHours(1), "+10000-01-01T04:59:59Z"))
        .isEqualTo("dt=9999-12-31/hour=23");
    assertThatThrownBy(() -> path("America/New_York", Duration.ofHours(1), "0001-01-01T00:00:00Z"))
        .isInstanceOf(UnusablePartitionException.class);
    assertThatThrownBy(() -> path("UTC", Duration.ofDays(7), "0001-01-01T00:00:00Z"))
        .as("the bucket begins in the year before")
        .isInstanceOf(UnusablePartitionException.class);
  }

  @Test
  void spanIsFromTheHoursBeginToItsEnd() throws Exception {
    assertThat(span("Asia/Kolkata", HOURS, Duration.ofMinutes(1), "2026-11-21T19:15:00Z"))
        .isEqualTo(
            new PartitionSpan(
                HivePartition.parse("dt=2026-11-22/hour=00"),
                Instant.parse("2026-11-21T18:30:00Z"),
                Instant.parse("2026-11-21T19:30:00Z")));
  }

  @Test
  void hourThatComesTwiceIsOneSpan() throws Exception {
    for (String time : new String[] {"2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"}) {
      assertThat(span("Europe/Berlin", HOURS, Duration.ofHours(1), time))
          .as(time)
          .isEqualTo(
              new PartitionSpan(
                  HivePartition.parse("dt=2026-10-25/hour=02"),
                  Instant.parse("2026-10-25T00:00:00Z"),
                  Instant.parse("2026-10-25T02:00:00Z")));
    }
  }

  @Test
  void hourThatComesTwiceIsTwoSpansWhereThePathHasTheOffset() throws Exception {
    PathFormat format = PathFormat.parse("'hour'=yyyy-MM-dd'T'HHZ", Locale.ENGLISH);

    PartitionSpan span = span("Europe/Berlin", format, Duration.ofHours(1), "2026-10-25T00:30:00Z");

    assertThat(span.partition().path()).isEqualTo("hour=2026-10-25T02+0200");
    assertThat(span.until()).isEqualTo("2026-10-25T01:00:00Z");
  }

  /** Other minutes are between its two times. */
  @Test
  void spanOfAMinuteThatComesTwiceEndsAfterItsSecondTime() throws Exception {
    PathFormat format = PathFormat.parse("'m'=yyyy-MM-dd'T'HH.mm", Locale.ENGLISH);

    assertThat(span("Europe/Berlin", format, Duration.ofMinutes(1), "2026-10-25T00:15:00Z"))
        .isEqualTo(
            new PartitionSpan(
                HivePartition.parse("m=2026-10-25T02.15"),
                Instant.parse("2026-10-25T00:15:00Z"),
                Instant.parse("2026-10-25T01:16:00Z")));
  }

  @Test
  void dayByHoursIsOneSpan() throws Exception {
    PathFormat days = PathFormat.parse("'dt'=yyyy-MM-dd", Locale.ENGLISH);

    PartitionSpan longer = span("Europe/Berlin", days, Duration.ofHours(1), "2026-10-25T12:00:00Z");
    PartitionSpan shorter =
        span("America/Sao_Paulo", days, Duration.ofHours(1), "2018-11-04T12:00:00Z");

    assertThat(Duration.between(longer.from(), longer.until())).isEqualTo(Duration.ofHours(25));
    assertThat(Duration.between(shorter.from(), shorter.until())).isEqualTo(Duration.ofHours(23));
    assertThat(shorter.from()).as("midnight is skipped").isEqualTo("2018-11-04T03:00:00Z");
  }

  @Test
  void spanOfABucketLongerThanTheFormatIsTheBucket() throws Exception {
    PartitionSpan span = span("UTC", HOURS, Duration.ofHours(6), "2026-11-21T07:30:00Z");

    assertThat(span.from()).isEqualTo("2026-11-21T06:00:00Z");
    assertThat(span.until()).isEqualTo("2026-11-21T12:00:00Z");
  }

  @Test
  void weeksHaveSpans() throws Exception {
    PathFormat weeks = PathFormat.parse("'w'=xxxx-'W'ww", Locale.ENGLISH);

    PartitionSpan span = span("UTC", weeks, Duration.ofHours(1), "2027-01-02T00:00:00Z");

    assertThat(span.partition().path()).isEqualTo("w=2026-W53");
    assertThat(span.from()).isEqualTo("2026-12-28T00:00:00Z");
    assertThat(span.until()).isEqualTo("2027-01-04T00:00:00Z");
  }

  @Test
  void formatThatIsNotContiguousHasNoSpans() throws Exception {
    PathFormat format = PathFormat.parse("'dt'=yy-MM-dd", Locale.ENGLISH);

    assertThat(
            new TimePartitioned(
                    format,
                    ZoneId.of("UTC"),
                    Duration.ofHours(1),
                    Optional.empty(),
                    TimestampField.Unit.MILLIS)
                .span(0))
        .isEmpty();
  }

  /** One step for each of its 31 million buckets would take minutes. */
  @Test
  @Timeout(20)
  void spanOfAYearInSecondsCostsNoStepForEachBucket() throws Exception {
    PathFormat years = PathFormat.parse("'y'=yyyy", Locale.ENGLISH);
    long start = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    for (int i = 0; i < 2_000; i++) {
      String time = Instant.ofEpochMilli(start + i * 10_000_000L).toString();
      assertThat(span("Europe/Berlin", years, Duration.ofSeconds(1), time).until())
          .isEqualTo("2026-12-31T23:00:00Z");
    }
  }

  @Test
  void spansReachTheEdgesOfTheYears1To9999() throws Exception {
    PathFormat years = PathFormat.parse("'y'=yyyy", Locale.ENGLISH);

    assertThat(span("UTC", years, Duration.ofHours(1), "0001-06-01T00:00:00Z").from())
        .isEqualTo("0001-01-01T00:00:00Z");
    assertThat(span("UTC", years, Duration.ofHours(1), "9999-06-01T00:00:00Z").until())
        .isEqualTo("+10000-01-01T00:00:00Z");
    assertThatThrownBy(() -> span("UTC", years, Duration.ofHours(1), "+10000-01-01T00:00:00Z"))
        .isInstanceOf(UnusablePartitionException.class);
  }

  private static PartitionSpan span(String zone, PathFormat format, Duration duration, String time)
      throws Exception {
    return new TimePartitioned(
            format, ZoneId.of(zone), duration, Optional.empty(), TimestampField.Unit.MILLIS)
        .span(Instant.parse(time).toEpochMilli())
        .orElseThrow();
  }

  @Test
  void unpartitionedTableHasOnePlace() throws Exception {
    assertThat(PartitionSpec.NONE.columns()).isEmpty();
  }

  @Test
  void bucketMustLast() {
    assertThatThrownBy(() -> spec("UTC", Duration.ZERO)).hasMessageContaining("PT0S");
  }

  private static String path(String zone, Duration duration, String time) throws Exception {
    return spec(zone, duration).assigner().assign(Instant.parse(time).toEpochMilli()).path();
  }

  private static TimePartitioned spec(String zone, Duration duration) {
    return new TimePartitioned(
        HOURS, ZoneId.of(zone), duration, Optional.empty(), TimestampField.Unit.MILLIS);
  }
}
