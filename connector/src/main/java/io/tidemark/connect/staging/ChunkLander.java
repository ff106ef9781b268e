package io.tidemark.connect.staging;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.file.BlockFiller;
import io.tidemark.avro.file.CompressorPool;
import io.tidemark.avro.plan.Plan;
import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.table.partition.FieldPartitioned;
import io.tidemark.connect.table.partition.FieldPartitions;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.partition.PartitionAssigner;
import io.tidemark.connect.table.partition.PartitionSpec;
import io.tidemark.connect.table.partition.TimePartitioned;
import io.tidemark.registry.SchemaId;
import java.util.IdentityHashMap;
import java.util.Optional;

/**
 * Runs plans over chunks: each datum is checked, its Hive partition found, its bytes put into the
 * blocks of its file. Not safe for use by two threads at once; one lander serves one worker at a
 * time, and keeps its plan runners from chunk to chunk.
 */
final class ChunkLander {
  private static final int KEPT_RUNNERS = 64;

  private final CompressorPool compressors;
  private final int blockSizeBytes;
  private final CompiledPlans compiledPlans;
  private final IdentityHashMap<Plan, PlanRun> planRuns = new IdentityHashMap<>();
  private final IdentityHashMap<PartitionSpec, PartitionAssigner> assigners =
      new IdentityHashMap<>();
  private final IdentityHashMap<Plan, FieldPartitions> fieldPartitions = new IdentityHashMap<>();

  ChunkLander(CompressorPool compressors, int blockSizeBytes, CompiledPlans compiledPlans) {
    this.compressors = compressors;
    this.blockSizeBytes = blockSizeBytes;
    this.compiledPlans = compiledPlans;
  }

  /** Lands a chunk, but for the records that cannot. */
  LandedChunk land(RecordChunk chunk, LandingPlans plans) {
    if (planRuns.size() > KEPT_RUNNERS) {
      planRuns.clear();
      assigners.clear();
      fieldPartitions.clear();
    }
    return new ChunkLanding(this, chunk, plans).land();
  }

  Route route(LandingPlans plans, SchemaId schemaId) {
    LandingPlan plan = plans.find(schemaId);
    if (plan == null) {
      throw new IllegalStateException(schemaId + " reached a worker before its plan");
    }
    return new Route(
        plan,
        planRuns.computeIfAbsent(plan.plan(), p -> new PlanRun(compiledPlans.runner(p))),
        assigners.computeIfAbsent(plan.table().partitioning(), ChunkLander::assigner),
        fieldPartitions(plan));
  }

  private static PartitionAssigner assigner(PartitionSpec spec) {
    return spec instanceof TimePartitioned byTime
        ? byTime.assigner()
        : epochMillis -> HivePartition.WHOLE_TABLE;
  }

  private Optional<FieldPartitions> fieldPartitions(LandingPlan plan) {
    return plan.table().partitioning() instanceof FieldPartitioned byField
        ? Optional.of(
            fieldPartitions.computeIfAbsent(
                plan.plan(), p -> new FieldPartitions(byField, plan.partitionFields())))
        : Optional.empty();
  }

  BlockFiller newFiller() {
    return new BlockFiller(compressors, blockSizeBytes);
  }
}
