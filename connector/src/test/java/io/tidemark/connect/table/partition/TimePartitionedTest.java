package io.tidemark.connect.table.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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
        .isInstanceOf(UnusableTimestampException.class)
        .hasMessageContaining("timestamp-micros");
    assertThatThrownBy(() -> assigner.assign(Long.MIN_VALUE))
        .isInstanceOf(UnusableTimestampException.class);
  }

  @Test
  void yearsAreThoseOfTheTablesZone() throws Exception {
    assertThat(path("Europe/Berlin", Duration.ofHours(1), "0000-12-31T23:06:32Z"))
        .isEqualTo("dt=0001-01-01/hour=00");
    assertThat(path("America/New_York", Duration.ofHours(1), "+10000-01-01T04:59:59Z"))
        .isEqualTo("dt=9999-12-31/hour=23");
    assertThatThrownBy(() -> path("America/New_York", Duration.ofHours(1), "0001-01-01T00:00:00Z"))
        .isInstanceOf(UnusableTimestampException.class);
    assertThatThrownBy(() -> path("UTC", Duration.ofDays(7), "0001-01-01T00:00:00Z"))
        .as("the bucket begins in the year before")
        .isInstanceOf(UnusableTimestampException.class);
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
    return new TimePartitioned(HOURS, ZoneId.of(zone), duration, Optional.empty());
  }
}
