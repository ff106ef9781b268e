package io.tidemark.benchmarks.articles;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PassTimerTest {

  @Test
  void aTimerIsReadAsItsArgumentsSay() {
    var timer = new PassTimer(Duration.ofMillis(450), Duration.ofMillis(60), 3);

    assertThat(PassTimer.parse(timer.arguments().toArray(String[]::new), 0)).isEqualTo(timer);
  }

  @Test
  void slowPassesAreWarmedUpForLongerButNotForGood() {
    var timer = new PassTimer(Duration.ofMillis(10), Duration.ZERO, 1);
    var passes = new AtomicInteger();

    double nanos =
        timer.nanosPerPass(
            () -> {
              long end = System.nanoTime() + 15_000_000;
              while (System.nanoTime() < end) {
                Thread.onSpinWait();
              }
              return passes.incrementAndGet();
            });

    // Up to four passes of 15 ms that warm up for 60 ms, and one that is timed.
    assertThat(passes.get()).isBetween(2, 5);
    assertThat(nanos).isGreaterThan(14_000_000);
  }
}
