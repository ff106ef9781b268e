package io.tidemark.store.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares spans with paths that are computed time by time, near changes of the zone's offset. */
class SpanPropertyTest {
  private static final long HOUR_MS = 3_600_000;
  private static final long DAY_MS = 24 * HOUR_MS;
  private static final int NEAR = 60;
  private static final int FAR = 20;

  /** A table's partitioning, a time near a change of its zone's offset, and times near it. */
  record Case(TimePartitioned spec, long at, long changeMs, long shiftMs, long seed) {}

  @Provide
  Arbitrary<Case> cases() {
    return Combinators.combine(specs(), Arbitraries.longs()).as(SpanPropertyTest::nearAChange);
  }

  private static Arbitrary<TimePartitioned> specs() {
    Arbitrary<ZoneId> zones =
        Arbitraries.oneOf(
            Arbitraries.of(ZoneId.getAvailableZoneIds().stream().sorted().map(ZoneId::of).toList()),
            Arbitraries.of(
                    "America/Sao_Paulo",
                    "Australia/Lord_Howe",
                    "Europe/Berlin",
                    "Pacific/Apia",
                    "Pacific/Kwajalein",
                    "America/Juneau",
                    "Africa/Casablanca",
                    "Antarctica/Troll")
                .map(ZoneId::of));
    Arbitrary<Duration> durations =
        Arbitraries.oneOf(
            Arbitraries.of(1L, 100L, 1_000L, 60_000L, 900_000L, HOUR_MS, DAY_MS, 7 * DAY_MS)
                .map(Duration::ofMillis),
            Arbitraries.longs().between(1, 100_000_000_000L).map(Duration::ofMillis));
    return Combinators.combine(formats(), zones, durations)
        .as(
            (format, zone, duration) ->
                new TimePartitioned(
                    format, zone, duration, Optional.empty(), TimestampField.Unit.MILLIS));
  }

  /** Contiguous formats: fields from the year down, in any order, and some that add nothing. */
  private static Arbitrary<PathFormat> formats() {
    return Arbitraries.randomValue(SpanPropertyTest::format)
        .map(pattern -> PathFormat.parse(pattern, Locale.ENGLISH))
        .filter(PathFormat::isContiguous);
  }

  private static String format(Random random) {
    List<String> fields = new ArrayList<>();
    List<String> beside = new ArrayList<>(List.of("Z", "ZZ", "ZZZ"));
    boolean weeks = random.nextInt(4) == 0;
    String[] days =
        weeks
            ? new String[] {"xxxx", "ww", "e"}
            : random.nextInt(4) == 0
                ? new String[] {one(random, "yyyy", "YYYY"), "DDD"}
                : new String[] {
                  one(random, "yyyy", "YYYY"),
                  one(random, "MM", "M", "MMM", "MMMM"),
                  one(random, "dd", "d")
                };
    int depth = 1 + random.nextInt(days.length + 4);
    for (int i = 0; i < Math.min(depth, days.length); i++) {
      fields.add(days[i]);
    }
    if (depth >= days.length) {
      beside.addAll(List.of("yy", "E", "EEEE", "D", "MMM", "w", "e", "xxxx", "G"));
    }
    String[] times = {one(random, "HH", "H", "k"), "mm", "ss", one(random, "S", "SS", "SSS")};
    for (int i = 0; i < depth - days.length; i++) {
      fields.add(times[i]);
    }
    if (depth > days.length) {
      beside.addAll(List.of("a", "hh", "K"));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      fields.add(beside.get(random.nextInt(beside.size())));
    }
    Collections.shuffle(fields, random);
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < fields.size(); i++) {
      String field = fields.get(i);
      // Without a separator, equal letters would be one longer field.
      boolean apart = i > 0 && pattern.charAt(pattern.length() - 1) == field.charAt(0);
      String before =
          i == 0 || random.nextInt(3) == 0 ? "/'c" + i + "'=" : apart ? "-" : one(random, "-", "");
      pattern.append(before).append(field);
    }
    return pattern.substring(1);
  }

  private static String one(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }

  private static Case nearAChange(TimePartitioned spec, long seed) {
    Random random = new Random(seed);
    Instant from = Instant.ofEpochMilli(random.nextLong(-4_000_000_000_000L, 4_000_000_000_000L));
    ZoneOffsetTransition change = spec.zone().getRules().nextTransition(from);
    if (change == null) {
      change = spec.zone().getRules().previousTransition(from);
    }
    if (change == null) {
      return new Case(spec, from.toEpochMilli(), from.toEpochMilli(), 0, seed);
    }
    long changeMs = change.toEpochSecond() * 1000;
    long beside = random.nextLong(-2 * HOUR_MS, 2 * HOUR_MS) * one(random, 1, 1, 24);
    return new Case(
        spec, changeMs + beside, changeMs, change.getDuration().toMillis(), random.nextLong());
  }

  private static int one(Random random, int... of) {
    return of[random.nextInt(of.length)];
  }

  @Property(tries = 3_000)
  void timeIsInTheSpanIffItsPathIsEqual(@ForAll("cases") Case drawn) throws Exception {
    TimePartitioned spec = drawn.spec();
    PartitionAssigner assigner = spec.assigner();
    PartitionSpan span = spec.span(drawn.at()).orElseThrow();
    HivePartition path = assigner.assign(drawn.at());
    long from = span.from().toEpochMilli();
    long until = span.until().toEpochMilli();

    assertThat(span.partition()).isEqualTo(path);
    assertThat(assigner.assign(from)).as("first").isEqualTo(path);
    assertThat(assigner.assign(until - 1)).as("last").isEqualTo(path);
    for (long time : times(drawn, from, until)) {
      boolean inside = from <= time && time < until;
      boolean equal = assigner.assign(time).equals(path);
      if (equal) {
        assertThat(inside).as("%s has the path %s", Instant.ofEpochMilli(time), path).isTrue();
        assertThat(spec.span(time)).as("the span of every time in it").contains(span);
      } else if (inside) {
        assertPathComesTwice(drawn, span);
      }
    }
  }

  private static List<Long> times(Case drawn, long from, long until) {
    Random random = new Random(drawn.seed());
    List<Long> times = new ArrayList<>(List.of(from - 1, until));
    long[] marks = {from, until, drawn.at(), drawn.changeMs()};
    for (int i = 0; i < NEAR; i++) {
      long near = marks[random.nextInt(marks.length)] + one(random, 0, 1, -1) * drawn.shiftMs();
      long scale = 1L << random.nextInt(32);
      times.add(near + random.nextLong(-scale, scale));
    }
    times.add(random.nextLong(from, until));
    for (int i = 0; i < FAR; i++) {
      times.add(drawn.at() + random.nextLong(-800, 800) * DAY_MS);
    }
    return times;
  }

  /** If there is another path between two times of one path, a clock was set between them. */
  private static void assertPathComesTwice(Case drawn, PartitionSpan span) {
    ZoneOffsetTransition change =
        drawn.spec().zone().getRules().nextTransition(span.from().minusMillis(1));
    assertThat(change).as("a change of the offset in %s", span).isNotNull();
    assertThat(change.getInstant()).isBefore(span.until());
  }
}
