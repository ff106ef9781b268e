package io.tidemark.benchmarks.articles.fastavrowrite;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.benchmarks.articles.fastavrowrite.Crossover.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrossoverTest {
  private static final Point SLOWER = new Point(100, 1, 2);
  private static final Point FASTER = new Point(1_000, 10, 6);
  private static final Point FASTEST = new Point(10_000, 100, 51);

  @Test
  void parallelWritingPaysFromTheFirstPointOnThatItIsFaster() {
    assertThat(Crossover.of(List.of(SLOWER, FASTER, FASTEST))).hasValue(1_000);
  }

  @Test
  void aPointBeforeASlowerOneDoesNotCount() {
    assertThat(Crossover.of(List.of(new Point(50, 2, 1), SLOWER, FASTER))).hasValue(1_000);
  }

  @Test
  void itDoesNotPayIfTheLastPointIsSlower() {
    assertThat(Crossover.of(List.of(new Point(50, 2, 1), SLOWER))).isEmpty();
    assertThat(Crossover.of(List.of())).isEmpty();
  }

  @Test
  void asLongIsNotFaster() {
    assertThat(Crossover.of(List.of(new Point(100, 2, 2)))).isEmpty();
  }
}
