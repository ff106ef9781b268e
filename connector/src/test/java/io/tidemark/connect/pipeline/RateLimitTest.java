package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RateLimitTest {
  private static final long LONG_MS = 60_000;
  private static final int RECORDS = 300;
  private static final long MILLI = 1_000_000;

  private long nowMs = 5_000;
  private final RateLimit rate = new RateLimit(100, () -> nowMs);

  @Test
  void recordsOfASecondMayComeAtOnce() {
    take(100);

    assertThat(rate.pausing()).isFalse();
    assertThat(rate.because()).isEmpty();
  }

  @Test
  void whatIsTooMuchIsADebtThatLasts() {
    take(600);

    assertThat(rate.pausing()).isTrue();
    assertThat(rate.lastsMs()).isEqualTo(5_000);
    assertThat(rate.because()).contains("rate.records.per.second=100", "5000 ms");

    pass(4_990);
    assertThat(rate.pausing()).isTrue();
    assertThat(rate.lastsMs()).isEqualTo(10);

    pass(10);
    assertThat(rate.pausing()).isFalse();
  }

  @Test
  void quietTimesAreNotSaved() {
    pass(3_600_000);
    take(200);

    assertThat(rate.lastsMs()).isEqualTo(1_000);
  }

  @Test
  void greatestRateAndDebtAreNumbersStill() {
    RateLimit greatest = new RateLimit(1_000_000_000, () -> nowMs);
    for (int i = 0; i < 1_000_000; i++) {
      greatest.count();
    }
    nowMs += Long.MAX_VALUE / 2;
    greatest.refill();
    assertThat(greatest.pausing()).isFalse();

    RateLimit least = new RateLimit(1, () -> nowMs);
    for (int i = 0; i < 1_000_000; i++) {
      least.count();
    }
    assertThat(least.lastsMs()).isEqualTo(999_999_000);
  }

  /** Uses the clock of the test's machine. A slower machine only makes the test longer. */
  @Test
  void taskTakesNoMoreAndSaysWhyItIsPaused() throws Exception {
    Quotes quotes = new Quotes();
    quotes.produce(RECORDS);
    TestTask.Limits limits =
        new TestTask.Limits(64 << 20, 100, 1_000, LONG_MS)
            .pace(new TestTask.Pace(Optional.empty(), 100));
    long begunNanos = System.nanoTime();
    try (TestTask task = quotes.task(RECORDS, limits, Clock.systemUTC())) {
      task.open(0);
      task.pollUntil(
          () -> task.pipeline.load().pausedBecause().contains("rate.records.per.second"));
      assertThat(task.isPaused(0)).isTrue();
      assertThat(task.pipeline.load().heldForMs()).isGreaterThanOrEqualTo(0);
      task.pollUntilLanded(0);
    }
    // 100 records immediately, and the last poll of 50 when the rate allows it.
    assertThat(System.nanoTime() - begunNanos).isGreaterThan(1_400 * MILLI);
    assertThat(quotes.keys()).isEqualTo(quotes.produced);
  }

  private void take(int records) {
    for (int i = 0; i < records; i++) {
      rate.count();
    }
    rate.refill();
  }

  private void pass(long ms) {
    nowMs += ms;
    rate.refill();
  }
}
