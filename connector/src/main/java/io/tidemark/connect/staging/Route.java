package io.tidemark.connect.staging;

import io.tidemark.connect.table.partition.FieldPartitions;
import io.tidemark.connect.table.partition.PartitionAssigner;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a chunk's records of one schema id go, and the file that the last of them went to. Used by
 * one thread.
 */
final class Route {
  final LandingPlan plan;
  final PlanRun planRun;
  final PartitionAssigner assigner;
  final Optional<FieldPartitions> fieldPartitions;
  @Nullable OpenRun lastRun;

  /** A route; {@code fieldPartitions} are there where fields decide, and else the assigner does. */
  Route(
      LandingPlan plan,
      PlanRun planRun,
      PartitionAssigner assigner,
      Optional<FieldPartitions> fieldPartitions) {
    this.plan = plan;
    this.planRun = planRun;
    this.assigner = assigner;
    this.fieldPartitions = fieldPartitions;
  }
}
