package io.tidemark.connect.staging;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.plan.Plan;
import io.tidemark.connect.batch.RecordChunk;
import io.tidemark.connect.format.DataFileFactory;
import io.tidemark.connect.format.SegmentWriter;
import io.tidemark.connect.routing.BindingSnapshot;
import io.tidemark.connect.routing.WriterBinding;
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

  private final DataFileFactory files;
  private final CompiledPlans compiledPlans;
  private final IdentityHashMap<Plan, BoundRunner> runners = new IdentityHashMap<>();
  private final IdentityHashMap<PartitionSpec, PartitionAssigner> assigners =
      new IdentityHashMap<>();
  private final IdentityHashMap<Plan, FieldPartitions> fieldPartitions = new IdentityHashMap<>();

  ChunkLander(DataFileFactory files, CompiledPlans compiledPlans) {
    this.files = files;
    this.compiledPlans = compiledPlans;
  }

  /** Lands a chunk, but for the records that cannot. */
  LandedChunk land(RecordChunk chunk, BindingSnapshot bindings) {
    if (runners.size() > KEPT_RUNNERS) {
      runners.clear();
      assigners.clear();
      fieldPartitions.clear();
    }
    return new ChunkLanding(this, chunk, bindings).land();
  }

  ChunkBinding bind(BindingSnapshot bindings, SchemaId schemaId) {
    WriterBinding binding = bindings.find(schemaId);
    if (binding == null) {
      throw new IllegalStateException(schemaId + " reached a worker before its binding");
    }
    return new ChunkBinding(
        binding,
        runners.computeIfAbsent(binding.plan(), p -> new BoundRunner(compiledPlans.runner(p))),
        assigners.computeIfAbsent(binding.table().partitioning(), ChunkLander::assigner),
        fieldPartitions(binding));
  }

  private static PartitionAssigner assigner(PartitionSpec spec) {
    return spec instanceof TimePartitioned byTime
        ? byTime.assigner()
        : epochMillis -> HivePartition.WHOLE_TABLE;
  }

  private Optional<FieldPartitions> fieldPartitions(WriterBinding binding) {
    return binding.table().partitioning() instanceof FieldPartitioned byField
        ? Optional.of(
            fieldPartitions.computeIfAbsent(
                binding.plan(), p -> new FieldPartitions(byField, binding.partitionFields())))
        : Optional.empty();
  }

  SegmentWriter newSegment() {
    return files.newSegment();
  }
}
