package io.tidemark.connect.staging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
  @Test
  void idleBuffersMayUseWhatRecordsDoNot() {
    var memory = new MemoryBudget(1_600);
    assertThat(memory.idleBytes()).isEqualTo(1_600);

    memory.buffered(1_000);
    assertThat(memory.idleBytes()).isEqualTo(600);
  }

  @Test
  void aSixteenthIsForIdleBuffersWhenMemoryIsUsedUp() {
    var memory = new MemoryBudget(1_600);
    memory.buffered(1_700);

    assertThat(memory.idleBytes()).isEqualTo(100);
    assertThat(memory.exhausted()).isTrue();
  }
}
