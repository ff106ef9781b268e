package io.tidemark.avro.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.codegen.disk.DiskStatistics;
import io.tidemark.avro.plan.BatchRunner;
import io.tidemark.avro.plan.Plan;
import java.nio.file.Path;
import java.util.Optional;

/** Runners whose class is generated before the first datum and verified by ASM. */
final class GeneratedRunner {
  private GeneratedRunner() {}

  static BatchRunner of(Plan plan) {
    var plans = new CompiledPlans(Runnable::run, 1, new CompilerOptions(true, Optional.empty()));
    BatchRunner runner = plans.runner(plan);
    assertThat(plans.statistics().lastFallBack()).isEmpty();
    assertThat(plans.statistics().compiled()).isEqualTo(1);
    return runner;
  }

  /** The same runner, from the file that another runner has written to a directory. */
  static BatchRunner fromDisk(Plan plan, Path directory) {
    var options = new CompilerOptions(true, Optional.empty()).withCache(directory, 8);
    new CompiledPlans(Runnable::run, 1, options).runner(plan);
    var plans = new CompiledPlans(Runnable::run, 1, options);
    BatchRunner runner = plans.runner(plan);
    assertThat(plans.statistics().disk())
        .isEqualTo(new DiskStatistics(1, 0, 0, 0, Optional.empty()));
    return runner;
  }
}
