package io.tidemark.connect.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The lag of a topic-partition behind Kafka, in offsets and in time. */
final class LagTest {
  private final Lag lag = new Lag();

  @Test
  void whatIsCommittedHasNoLag() {
    lag.end(10, 1_000);
    assertThat(lag.offsets()).isEqualTo(10);
    assertThat(lag.lastsMs(4_000)).isEqualTo(3_000);
    lag.committed(10);
    assertThat(lag.offsets()).isZero();
    assertThat(lag.lastsMs(4_000)).isZero();
    assertThat(lag.end()).isEqualTo(10);
  }

  @Test
  void lagLastsSinceTheOldestOffsetThatIsNotCommittedWasSeen() {
    lag.end(10, 1_000);
    lag.end(20, 2_000);
    lag.end(20, 3_000);
    lag.end(30, 4_000);
    lag.committed(10);
    assertThat(lag.lastsMs(5_000)).isEqualTo(3_000);
    lag.committed(25);
    assertThat(lag.lastsMs(5_000)).isEqualTo(1_000);
    assertThat(lag.offsets()).isEqualTo(5);
  }

  @Test
  void logWithoutABatchCoversNothing() {
    lag.committed(TopicPartitionProgress.UNKNOWN);
    lag.end(10, 1_000);
    assertThat(lag.offsets()).isEqualTo(10);
  }

  @Test
  void truncationLeavesNoNegativeLag() {
    lag.end(10, 1_000);
    lag.committed(10);
    lag.end(5, 2_000);
    assertThat(lag.offsets()).isZero();
    assertThat(lag.lastsMs(3_000)).isZero();
  }

  /** One observation a second for a day. */
  @Test
  void longLagIsToldToWithinTwiceItsResolutionAndInLittleMemory() {
    long seconds = 86_400;
    for (long each = 1; each <= seconds; each++) {
      lag.end(each, 1_000 * each);
    }
    for (long done = 0; done < seconds; done += 1_000) {
      lag.committed(done);
      long truthMs = 1_000 * (seconds - done - 1);
      assertThat(lag.lastsMs(1_000 * seconds)).isBetween(truthMs - 1_100_000, truthMs);
    }
  }
}
