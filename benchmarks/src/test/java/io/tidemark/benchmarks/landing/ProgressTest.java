package io.tidemark.benchmarks.landing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProgressTest {
  private final Progress progress = new Progress();

  @Test
  void momentsBetweenTwoLooksAreInterpolated() {
    look(1_000, 0, 10);
    look(2_000, 100, 20);
    look(3_000, 300, 40);

    assertThat(progress.at(200).nanos()).isEqualTo(2_500);
    assertThat(progress.at(200).cpuNanos()).isEqualTo(30);
  }

  @Test
  void waitingBeforeTheFirstRecordDoesNotCount() {
    look(1_000, 0, 10);
    look(9_000, 0, 10);
    look(10_000, 1_000, 20);

    assertThat(progress.at(1).nanos()).isEqualTo(9_001);
  }

  @Test
  void recordsThatWereNeverGivenHaveNoMoment() {
    look(1_000, 0, 10);
    look(2_000, 100, 20);

    assertThatThrownBy(() -> progress.at(101)).hasMessageContaining("101");
  }

  private void look(long nanos, double records, double cpuNanos) {
    progress.add(new Progress.Look(nanos, records, cpuNanos, 0, 0, 0));
  }
}
