package io.tidemark.connect.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ReclaimLimitTest {
  private static final int MOST = 10;

  private long nowMs;
  private final ReclaimLimit reclaims = new ReclaimLimit(() -> nowMs, new Random(42));

  @Test
  void pausesDoubleFromAFifthOfASecondUpToHalfAMinute() {
    for (long ceilingMs : new long[] {200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000}) {
      assertThat(reclaims.next().orElseThrow()).isBetween(ceilingMs / 2, ceilingMs);
    }
  }

  @Test
  void eleventhDuelLostWithinTenMinutesIsTooMany() {
    for (int lost = 0; lost < MOST; lost++) {
      assertThat(reclaims.next()).isPresent();
      nowMs += 59_000;
    }
    assertThat(reclaims.next()).isEmpty();
  }

  @Test
  void reclaimsOfTenMinutesAgoAreForgotten() {
    for (int lost = 0; lost < 10 * MOST; lost++) {
      assertThat(reclaims.next()).isPresent();
      nowMs += 61_000;
    }
  }
}
