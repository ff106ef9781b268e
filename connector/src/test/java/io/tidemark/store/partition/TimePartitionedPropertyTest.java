package io.tidemark.store.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

class TimePartitionedPropertyTest {
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("'dt='uuuu-MM-dd'/hour='HH", Locale.ENGLISH);

  /** Zones with an offset of fractions of an hour, with changes at midnight, or by half an hour. */
  @Provide
  Arbitrary<ZoneId> zones() {
    return Arbitraries.oneOf(
        Arbitraries.of(ZoneId.getAvailableZoneIds().stream().sorted().map(ZoneId::of).toList()),
        Arbitraries.of("America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia")
            .map(ZoneId::of));
  }

  @Property
  void cachedAssignerAgreesWithFormattingEachTime(
      @ForAll("zones") ZoneId zone,
      @ForAll @LongRange(min = -2_000_000_000_000L, max = 4_000_000_000_000L) long start,
      @ForAll @LongRange(min = 1, max = 90_000_000_000L) long stride) {
    PartitionAssigner assigner =
        new TimePartitioned(
                PathFormat.parse("'dt'=yyyy-MM-dd/'hour'=HH", Locale.ENGLISH),
                zone,
                Duration.ofMinutes(1),
                Optional.empty(),
                TimestampField.Unit.MILLIS)
            .assigner();
    List<Long> times = LongStream.range(0, 100).mapToObj(i -> start + i * i % 37 * stride).toList();
    for (long time : times) {
      ZonedDateTime local = Instant.ofEpochMilli(time).atZone(zone);
      assertThat(path(assigner, time)).isEqualTo(HOUR.format(local));
    }
  }

  @Property
  void cachedAssignerAgreesWithAFreshOne(
      @ForAll("zones") ZoneId zone,
      @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long start,
      @ForAll @LongRange(min = 1, max = 200_000_000L) long durationMs,
      @ForAll @LongRange(min = 1, max = 9_000_000L) long stride) {
    TimePartitioned spec =
        new TimePartitioned(
            PathFormat.parse("'dt'=yyyy-MM-dd/'t'=HHmmssSSSZ", Locale.ENGLISH),
            zone,
            Duration.ofMillis(durationMs),
            Optional.of("time"),
            TimestampField.Unit.MILLIS);
    PartitionAssigner cached = spec.assigner();
    for (long i = 0; i < 100; i++) {
      long time = start + i * i % 61 * stride;
      assertThat(path(cached, time)).isEqualTo(path(spec.assigner(), time));
    }
  }

  private static String path(PartitionAssigner assigner, long time) {
    try {
      return assigner.assign(time).path();
    } catch (UnusablePartitionException e) {
      throw new AssertionError(e);
    }
  }
}
