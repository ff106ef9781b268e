package io.tidemark.avro.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import java.util.Optional;

/** Runners whose class is there from the start, and has been looked over by ASM. */
final class GeneratedRunner {
  private GeneratedRunner() {}

  static BatchRunner of(Plan plan) {
    var plans = new CompiledPlans(Runnable::run, 1, new CompilerOptions(true, Optional.empty()));
    BatchRunner runner = plans.runner(plan);
    assertThat(plans.statistics().lastFallBack()).isEmpty();
    assertThat(plans.statistics().compiled()).isEqualTo(1);
    return runner;
  }
}
