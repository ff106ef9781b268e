package io.tidemark.connect.staging;

import io.tidemark.connect.routing.WriterBinding;
import io.tidemark.connect.table.partition.FieldPartitions;
import io.tidemark.connect.table.partition.PartitionAssigner;
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
  final Optional<FieldPartitions> fieldPartitions;
  @Nullable OpenSegment lastSegment;

  /**
   * A binding as a chunk uses it; {@code fieldPartitions} are there where fields decide, and else
   * the assigner does.
   */
  ChunkBinding(
      WriterBinding binding,
      BoundRunner runner,
      PartitionAssigner assigner,
      Optional<FieldPartitions> fieldPartitions) {
    this.binding = binding;
    this.runner = runner;
    this.assigner = assigner;
    this.fieldPartitions = fieldPartitions;
  }
}
