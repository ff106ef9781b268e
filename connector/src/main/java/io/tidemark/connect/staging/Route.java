package io.tidemark.connect.staging;

import io.tidemark.connect.table.partition.PartitionAssigner;
import org.jspecify.annotations.Nullable;

/**
 * Where a chunk's records of one schema id go, and the file that the last of them went to. Used by
 * one thread.
 */
final class Route {
  final LandingPlan plan;
  final PlanRun planRun;
  final PartitionAssigner assigner;
  @Nullable OpenRun lastRun;

  Route(LandingPlan plan, PlanRun planRun, PartitionAssigner assigner) {
    this.plan = plan;
    this.planRun = planRun;
    this.assigner = assigner;
  }
}
