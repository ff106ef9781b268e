package io.tidemark.connect.staging;

import io.tidemark.avro.codegen.CompiledPlans;
import io.tidemark.avro.plan.Plan;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.batch.RejectedRecord;
import io.tidemark.store.file.AvroFileFactory;
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
 * blocks of its file. The lander keeps its objects for plans from chunk to chunk. Not thread-safe.
 */
final class ChunkLander {
  private static final int KEPT_PLANS = 64;

  private final AvroFileFactory files;
  private final CompiledPlans compiledPlans;
  private final boolean divides; // whether files may end between two records of a chunk
  private final IdentityHashMap<Plan, DatumConverter> converters = new IdentityHashMap<>();
  private final IdentityHashMap<PartitionSpec, PartitionAssigner> assigners =
      new IdentityHashMap<>();
  private final IdentityHashMap<Plan, DatumPartitions> datumPartitions = new IdentityHashMap<>();

  ChunkLander(AvroFileFactory files, CompiledPlans compiledPlans, boolean divides) {
    this.files = files;
    this.compiledPlans = compiledPlans;
    this.divides = divides;
  }

  LandedChunk land(RecordChunk chunk, Bindings bindings) {
    if (converters.size() > KEPT_PLANS) {
      converters.clear();
      assigners.clear();
      datumPartitions.clear();
    }
    List<ChunkPart> parts = new ArrayList<>();
    List<RejectedRecord> rejected = new ArrayList<>();
    List<RecordChunk> rest = new ArrayList<>();
    long grownBytes = 0;
    for (RecordChunk ofTable : chunk.byTable(bindings)) {
      LandedChunk landed = new ChunkLanding(this, ofTable, bindings).land();
      parts.addAll(landed.parts());
      rejected.addAll(landed.rejected());
      rest.addAll(landed.rest());
      grownBytes += landed.grownBytes();
    }
    rejected.sort(Comparator.comparingLong(record -> record.place().offset()));
    return new LandedChunk(parts, rejected, grownBytes, rest);
  }

  /** Returns how records of a topic-partition land. */
  SchemaLanding bind(Binding binding, TopicPartition from) {
    return new SchemaLanding(
        binding,
        converters.computeIfAbsent(
            binding.plan(), p -> new DatumConverter(compiledPlans.runner(p))),
        assigner(binding.table().partitioning(), from),
        datumPartitions(binding),
        binding.route().map(route -> route(binding, route, from)));
  }

  private ChunkRoute route(Binding binding, FieldRoute route, TopicPartition from) {
    Map<Binding, SchemaLanding> bindings = new HashMap<>();
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

  private Optional<DatumPartitions> datumPartitions(Binding binding) {
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

  ChunkPart.Writer newPart(Destination destination) {
    AvroFileFactory ofTable = files.with(destination.table().options().compression());
    return new ChunkPart.Writer(
        destination,
        divides ? ofTable.newDivisibleRecords() : ofTable.newRecords(),
        new RecordSummary(),
        divides ? Optional.of(new RecordList()) : Optional.empty());
  }
}
