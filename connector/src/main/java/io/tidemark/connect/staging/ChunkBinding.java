package io.tidemark.connect.staging;

import io.tidemark.store.partition.DatumPartitions;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionAssigner;
import io.tidemark.store.partition.TimePartitioned;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A binding with the tools to land the records of a chunk, and the segment of the last record. Not
 * thread-safe.
 */
final class ChunkBinding {
  final WriterBinding binding;
  final BoundRunner runner;
  final PartitionAssigner assigner;
  final Optional<DatumPartitions> datumPartitions;

  final String tableName;

  /** True if the Hive partition depends on a time, so that each record needs a time. */
  final boolean byTime;

  /** Index of the event time in the plan's fields; -1 for the record's own timestamp. */
  final int timestampIndex;

  /** The route by a field's value; empty if a field does not choose the table. */
  final Optional<ChunkRoute> route;

  @Nullable OpenSegment lastSegment;

  /**
   * The segments, by Hive partition. Keys are compared by identity, because the assigner mostly
   * returns the same object. If consecutive records go to many Hive partitions, comparing values
   * would take longer than copying the records.
   */
  final IdentityHashMap<HivePartition, OpenSegment> segments = new IdentityHashMap<>();

  /**
   * Creates a chunk's binding. {@code datumPartitions} is present if the Hive partition depends on
   * more than the time and the topic-partition; otherwise the assigner is used.
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

  /** Returns whether this binding uses a runner; another runner may have another schema. */
  // Each plan has its own runner.
  @SuppressWarnings("ReferenceEquality")
  boolean hasRunner(BoundRunner other) {
    return runner == other;
  }
}
