package io.tidemark.connect.staging;

import io.tidemark.connect.routing.WriterBinding;
import io.tidemark.connect.table.partition.DatumPartitions;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.table.partition.PartitionAssigner;
import io.tidemark.connect.table.partition.TimePartitioned;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A binding with what a chunk needs to land its records, and the segment that the last of them went
 * to. Used by one thread.
 */
final class ChunkBinding {
  final WriterBinding binding;
  final BoundRunner runner;
  final PartitionAssigner assigner;
  final Optional<DatumPartitions> datumPartitions;

  final String tableName;

  /** The Hive partition is made of a time, so there must be one. */
  final boolean byTime;

  /** Where the plan's fields have the event time; -1 where the record's own timestamp is it. */
  final int timestampIndex;

  /** Where a field decides to which table a record goes. */
  final Optional<ChunkRoute> route;

  @Nullable OpenSegment lastSegment;

  /**
   * The segments, by the very objects that the assigner gave: where neighbours lie in many Hive
   * partitions, comparing what they are takes longer than copying the records.
   */
  final IdentityHashMap<HivePartition, OpenSegment> segments = new IdentityHashMap<>();

  /**
   * A binding as a chunk uses it; {@code datumPartitions} are there where more than the time and
   * the topic-partition decides, and else the assigner does.
   */
  ChunkBinding(
      WriterBinding binding,
      BoundRunner runner,
      PartitionAssigner assigner,
      Optional<DatumPartitions> datumPartitions,
      Optional<ChunkRoute> route) {
    this.route = route;
    this.tableName = binding.table().name().toString();
    this.binding = binding;
    this.runner = runner;
    this.assigner = assigner;
    this.datumPartitions = datumPartitions;
    Optional<TimePartitioned> time = binding.table().partitioning().time();
    this.byTime = time.isPresent();
    this.timestampIndex =
        time.flatMap(TimePartitioned::timestampField)
            .map(binding.plan().fieldPaths()::indexOf)
            .orElse(-1);
  }

  /** Its datums are those that a runner makes: another one may have another schema. */
  // A runner is made for one plan.
  @SuppressWarnings("ReferenceEquality")
  boolean hasRunner(BoundRunner other) {
    return runner == other;
  }
}
