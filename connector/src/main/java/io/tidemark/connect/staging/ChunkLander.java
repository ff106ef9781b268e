package io.tidemark.connect.staging;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.plan.Plan;
import io.tidemark.registry.SchemaId;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.file.DataFileFactory;
import io.tidemark.store.partition.CustomPartitioned;
import io.tidemark.store.partition.CustomPartitions;
import io.tidemark.store.partition.DatumPartitions;
import io.tidemark.store.partition.FieldAndTimePartitioned;
import io.tidemark.store.partition.FieldAndTimePartitions;
import io.tidemark.store.partition.FieldPartitioned;
import io.tidemark.store.partition.FieldPartitions;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionAssigner;
import io.tidemark.store.partition.PartitionField;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TopicPartitioned;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs plans over chunks: checks each datum, finds its Hive partition, and writes its bytes to the
 * blocks of its file. The lander keeps its plan runners from chunk to chunk. Not thread-safe.
 */
final class ChunkLander {
  private static final int KEPT_RUNNERS = 64;

  private final DataFileFactory files;
  private final CompiledPlans compiledPlans;
  private final boolean divides;
  private final IdentityHashMap<Plan, BoundRunner> runners = new IdentityHashMap<>();
  private final IdentityHashMap<PartitionSpec, PartitionAssigner> assigners =
      new IdentityHashMap<>();
  private final IdentityHashMap<Plan, DatumPartitions> datumPartitions = new IdentityHashMap<>();

  ChunkLander(DataFileFactory files, CompiledPlans compiledPlans) {
    this(files, compiledPlans, false);
  }

  /**
   * Creates a lander. {@code divides} is true if a setting may end files between two records of a
   * chunk.
   */
  ChunkLander(DataFileFactory files, CompiledPlans compiledPlans, boolean divides) {
    this.files = files;
    this.compiledPlans = compiledPlans;
    this.divides = divides;
  }

  /** Lands a chunk, except for the records that are rejected. */
  LandedChunk land(RecordChunk chunk, BindingSnapshot bindings) {
    if (runners.size() > KEPT_RUNNERS) {
      runners.clear();
      assigners.clear();
      datumPartitions.clear();
    }
    List<RecordChunk> parts = TableParts.of(chunk, bindings);
    if (parts.size() == 1) {
      return new ChunkLanding(this, chunk, bindings).land();
    }
    List<FilledSegment> segments = new ArrayList<>();
    List<RejectedRecord> rejected = new ArrayList<>();
    for (RecordChunk part : parts) {
      LandedChunk landed = new ChunkLanding(this, part, bindings).land();
      segments.addAll(landed.segments());
      rejected.addAll(landed.rejected());
    }
    rejected.sort(Comparator.comparingLong(record -> record.place().offset()));
    return new LandedChunk(segments, rejected);
  }

  /** Returns the binding of a schema id, for records of a topic-partition. */
  ChunkBinding bind(BindingSnapshot bindings, SchemaId schemaId, TopicPartition from) {
    WriterBinding binding = bindings.find(schemaId);
    if (binding == null) {
      throw new IllegalStateException(schemaId + " reached a staging thread before its binding");
    }
    return bind(binding, from);
  }

  private ChunkBinding bind(WriterBinding binding, TopicPartition from) {
    return new ChunkBinding(
        binding,
        runners.computeIfAbsent(binding.plan(), p -> new BoundRunner(compiledPlans.runner(p))),
        assigner(binding.table().partitioning(), from),
        datumPartitions(binding),
        binding.route().map(route -> route(binding, route, from)));
  }

  private ChunkRoute route(WriterBinding binding, FieldRoute route, TopicPartition from) {
    Map<WriterBinding, ChunkBinding> bindings = new HashMap<>();
    route.bindings().forEach(each -> bindings.put(each, bind(each, from)));
    return new ChunkRoute(
        route, binding.plan().fieldPaths().indexOf(route.values().path()), bindings);
  }

  private PartitionAssigner assigner(PartitionSpec spec, TopicPartition from) {
    if (spec instanceof TopicPartitioned) {
      HivePartition itsOwn = TopicPartitioned.of(from.partition());
      return epochMillis -> itsOwn;
    }
    return spec instanceof TimePartitioned byTime
        ? assigners.computeIfAbsent(spec, s -> byTime.assigner())
        : epochMillis -> HivePartition.WHOLE_TABLE;
  }

  private Optional<DatumPartitions> datumPartitions(WriterBinding binding) {
    PartitionSpec spec = binding.table().partitioning();
    List<PartitionField> fields = binding.partitionFields();
    Supplier<DatumPartitions> made;
    if (spec instanceof FieldPartitioned byField) {
      made = () -> new FieldPartitions(byField, fields);
    } else if (spec instanceof FieldAndTimePartitioned mixed) {
      made = () -> new FieldAndTimePartitions(mixed, fields);
    } else if (spec instanceof CustomPartitioned custom) {
      made = () -> new CustomPartitions(custom, fields);
    } else {
      return Optional.empty();
    }
    return Optional.of(datumPartitions.computeIfAbsent(binding.plan(), p -> made.get()));
  }

  OpenSegment newSegment(Destination destination) {
    DataFileFactory ofTable = files.with(destination.table().options().compression());
    return new OpenSegment(
        destination,
        divides ? ofTable.newDivisibleRecords() : ofTable.newRecords(),
        new RecordSummary(),
        divides ? Optional.of(new RecordList()) : Optional.empty());
  }
}
