package io.tidemark.avro.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.codegen.CompilerOptions;
import java.util.List;

/** A way to run plans. All ways must have the same results. */
enum RunnerFactory {
  INTERPRETED {
    @Override
    PlanRunner runner(Plan plan) {
      return new PlanInterpreter(plan);
    }
  },

  INTERPRETED_IN_BATCHES {
    @Override
    PlanRunner runner(Plan plan) {
      return new RunnerOfBatches(new PlanInterpreter(plan), plan);
    }
  },

  COMPILED {
    @Override
    PlanRunner runner(Plan plan) {
      var plans = new CompiledPlans(Runnable::run, 1, CompilerOptions.NONE);
      BatchRunner runner = plans.runner(plan);
      assertThat(plans.statistics().lastFallBack()).isEmpty();
      return new RunnerOfBatches(runner, plan);
    }
  };

  /** The runner of a plan. */
  abstract PlanRunner runner(Plan plan);

  /** A runner of each kind, of the same plan. */
  static List<PlanRunner> all(Plan plan) {
    return List.of(values()).stream().map(factory -> factory.runner(plan)).toList();
  }
}
