package io.tidemark.avro.plan;

import java.util.List;

/** A way to run plans. All of them must do the same. */
enum RunnerFactory {
  INTERPRETED {
    @Override
    PlanRunner runner(Plan plan) {
      return new PlanInterpreter(plan);
    }
  };

  /** The runner of a plan. */
  abstract PlanRunner runner(Plan plan);

  /** A runner of each kind, of the same plan. */
  static List<PlanRunner> all(Plan plan) {
    return List.of(values()).stream().map(factory -> factory.runner(plan)).toList();
  }
}
