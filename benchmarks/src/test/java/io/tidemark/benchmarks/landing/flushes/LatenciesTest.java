package io.tidemark.benchmarks.landing.flushes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  private static final long SECOND = 1_000_000_000;

  private final SentTimes sent = new SentTimes(2);
  private final Latencies latencies = new Latencies(sent);

  @Test
  void latencyIsFromTheSendingOfARecordToTheBatchThatHasIt() {
    for (long offset = 0; offset < 1_000; offset++) {
      sent.add(1, offset / 100 * SECOND);
    }

    latencies.add(batch(1, 0, 500), 6 * SECOND, 0, 100 * SECOND);
    latencies.add(batch(1, 500, 1_000), 11 * SECOND, 0, 100 * SECOND);

    assertThat(latencies.quantile(0.5)).isEqualTo(4);
    assertThat(latencies.quantile(0.1)).isEqualTo(2);
    assertThat(latencies.quantile(1)).isEqualTo(6);
  }

  @Test
  void recordsOutsideThePeriodDoNotCount() {
    for (long offset = 0; offset < 1_000; offset++) {
      sent.add(0, offset / 100 * SECOND);
    }

    latencies.add(batch(0, 0, 1_000), 20 * SECOND, 3 * SECOND, 5 * SECOND);

    assertThat(latencies.quantile(0.5)).isEqualTo(16);
    assertThat(latencies.quantile(1)).isEqualTo(17);
  }

  @Test
  void batchesBetweenTwoNotedOffsetsHaveNoLatency() {
    sent.add(0, 0);

    latencies.add(batch(0, 1, 99), SECOND, 0, SECOND);

    assertThat(latencies.isEmpty()).isTrue();
    assertThatThrownBy(() -> latencies.quantile(0.5)).hasMessageContaining("no record");
  }

  private static VisibleBatches.Batch batch(int topicPartition, long first, long next) {
    return new VisibleBatches.Batch(topicPartition, first, next, List.of(), Set.of());
  }
}
