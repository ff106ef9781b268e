package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.intake.FlushSchedule;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScheduledFlushTest {
  private static final long HOUR_MS = 3_600_000;
  private static final long LONG_MS = 60_000;

  private Instant now = Instant.parse("2026-11-20T13:40:00Z");
  private final InstantSource shown = () -> now;
  private final Clock wall = shown.withZone(ZoneOffset.UTC);

  // The night of 25 October 2026 has 25 hours in Berlin, that of 29 March 23.
  @ParameterizedTest
  @CsvSource({
    "1,  UTC,           2026-11-20T13:40:00Z, 2026-11-20T14:00:00Z",
    "1,  UTC,           2026-11-20T14:00:00Z, 2026-11-20T15:00:00Z",
    "5,  UTC,           2026-11-20T19:59:59Z, 2026-11-20T20:00:00Z",
    "5,  UTC,           2026-11-20T20:00:00Z, 2026-11-21T00:00:00Z",
    "24, Europe/Berlin, 2026-11-20T13:40:00Z, 2026-11-20T23:00:00Z",
    "12, Europe/Berlin, 2026-10-25T05:00:00Z, 2026-10-25T10:00:00Z",
    "12, Europe/Berlin, 2026-10-25T22:30:00Z, 2026-10-25T23:00:00Z",
    "12, Europe/Berlin, 2026-03-29T21:30:00Z, 2026-03-29T22:00:00Z",
    "1,  Asia/Kolkata,  2026-11-20T13:40:00Z, 2026-11-20T14:30:00Z",
  })
  void timesAreCountedFromMidnight(int hours, ZoneId zone, Instant from, Instant next) {
    assertThat(new FlushSchedule(hours * HOUR_MS, zone).after(from.toEpochMilli()))
        .isEqualTo(next.toEpochMilli());
  }

  @Test
  void flushIsDueOnceAtItsTime() {
    ScheduledFlush flush = new ScheduledFlush(new FlushSchedule(HOUR_MS, ZoneOffset.UTC), wall);
    assertThat(looked(flush)).isFalse();

    now = Instant.parse("2026-11-20T14:00:00Z");
    assertThat(looked(flush)).isTrue();
    assertThat(looked(flush)).isFalse();

    now = Instant.parse("2026-11-20T17:30:00Z");
    assertThat(looked(flush)).isTrue();
    assertThat(looked(flush)).isFalse();
  }

  @Test
  void clockThatWasSetBackMakesTheSameTimeDueAgain() {
    ScheduledFlush flush = new ScheduledFlush(new FlushSchedule(HOUR_MS, ZoneOffset.UTC), wall);
    now = Instant.parse("2026-11-20T15:10:00Z");
    assertThat(looked(flush)).isTrue();

    now = Instant.parse("2026-11-20T13:50:00Z");
    assertThat(looked(flush)).isFalse();

    now = Instant.parse("2026-11-20T14:00:00Z");
    assertThat(looked(flush)).isTrue();
  }

  /** The number of records and the interval of a flush are not reached. */
  @Test
  void taskCommitsAtTheTime() throws Exception {
    Quotes quotes = new Quotes();
    quotes.produce(10);
    TestTask.Limits limits =
        new TestTask.Limits(64 << 20, 100, 1_000, LONG_MS)
            .pace(new TestTask.Pace(Optional.of(new FlushSchedule(HOUR_MS, ZoneOffset.UTC)), 0));
    try (TestTask task = quotes.task(1_000, limits, wall)) {
      task.open(0);
      // The first poll's records are delivered again once their schema is known.
      task.pollUntil(() -> task.delivered() >= 20);
      assertThat(task.reaches(300, () -> task.landed(0))).isFalse();

      now = now.plus(Duration.ofHours(1));
      task.pollUntilLanded(0);
    }
    assertThat(quotes.keys()).isEqualTo(quotes.produced);
  }

  /** All records of before the time are being committed, so later ones wait for the next time. */
  @Test
  void timeAtWhichNoRecordWaitsAsksForNoFlush() throws Exception {
    Quotes quotes = new Quotes();
    quotes.produce(10);
    TestTask.Limits limits =
        new TestTask.Limits(64 << 20, 100, 1_000, LONG_MS)
            .pace(new TestTask.Pace(Optional.of(new FlushSchedule(HOUR_MS, ZoneOffset.UTC)), 0));
    try (TestTask task = quotes.task(20, limits, wall)) {
      task.open(0);
      // The first poll's records are delivered again once their schema is known.
      task.pollUntil(() -> task.delivered() >= 20);
      quotes.topic.away(true);
      quotes.produce(10);
      task.pollUntil(() -> task.delivered() >= 30);
      now = now.plus(Duration.ofHours(1));
      task.poll();
      quotes.produce(1);
      task.pollUntil(() -> task.delivered() >= 31);
      quotes.topic.away(false);
      task.pollUntil(() -> task.committedOffsets().containsValue(20L));

      assertThat(task.reaches(300, () -> task.landed(0))).isFalse();
    }
  }

  @Test
  void intervalIsNotNothing() {
    assertThatThrownBy(() -> new FlushSchedule(0, ZoneOffset.UTC))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean looked(ScheduledFlush flush) {
    flush.check(true);
    boolean due = flush.due();
    flush.flushing();
    return due;
  }
}
