package io.tidemark.benchmarks.articles;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RoundsTest {
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void eachRoundHasEveryCaseInTurn() throws Exception {
    var order = new ArrayList<String>();

    var results =
        new Rounds(2, Duration.ofMinutes(1), false, nanos::get)
            .measure(
                List.of("a", "b"),
                testCase -> {
                  order.add(testCase);
                  return order.size();
                });

    assertThat(order).containsExactly("a", "b", "a", "b");
    assertThat(results).containsEntry("a", List.of(1, 3)).containsEntry("b", List.of(2, 4));
  }

  @Test
  void everyCaseHasItsFirstForkHoweverLongThatTakes() throws Exception {
    var results =
        new Rounds(3, Duration.ofMinutes(1), false, nanos::get)
            .measure(
                List.of("a", "b"), testCase -> nanos.addAndGet(Duration.ofMinutes(2).toNanos()));

    assertThat(results.values()).allSatisfy(rounds -> assertThat(rounds).hasSize(1));
  }
}
