package io.tidemark.connect.staging;

import io.tidemark.store.partition.DatumPartitions;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionAssigner;
import io.tidemark.store.partition.TimePartitioned;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the records of one schema id land in a chunk: their binding, the objects that it needs, and
 * the part of the last record. Not thread-safe.
 */
final class SchemaLanding {
  final Binding binding;
  final DatumConverter converter;
  final PartitionAssigner assigner;

  /** Present if the Hive partition depends on more than the time and the topic-partition. */
  final Optional<DatumPartitions> datumPartitions;

  final String tableName;

  /** True if each record needs a time for its Hive partition. */
  final boolean byTime;

  /** Index of the event time in the plan's fields; -1 for the record's own timestamp. */
  final int timestampIndex;

  /** The route by a field's value; empty if a field does not choose the table. */
  final Optional<ChunkRoute> route;

  ChunkPart.@Nullable Writer lastPart;

  /**
   * The parts, by Hive partition. Keys are compared by identity, because the assigner mostly
   * returns the same object. If consecutive records go to many Hive partitions, comparing values
   * would take longer than copying the records.
   */
  final IdentityHashMap<HivePartition, ChunkPart.Writer> parts = new IdentityHashMap<>();

  SchemaLanding(
      Binding binding,
      DatumConverter converter,
      PartitionAssigner assigner,
      Optional<DatumPartitions> datumPartitions,
      Optional<ChunkRoute> route) {
    this.route = route;
    this.tableName = binding.table().name().toString();
    this.binding = binding;
    this.converter = converter;
    this.assigner = assigner;
    this.datumPartitions = datumPartitions;
    Optional<TimePartitioned> time = binding.table().partitioning().time();
    this.byTime = time.isPresent();
    this.timestampIndex =
        time.flatMap(TimePartitioned::timestampField)
            .map(binding.plan().fieldPaths()::indexOf)
            .orElse(-1);
  }

  @SuppressWarnings("ReferenceEquality") // Each plan has its own converter.
  boolean hasConverter(DatumConverter other) {
    return converter == other;
  }
}
