package io.tidemark.connect.table.partition;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** How the records of a table are divided over its Hive partitions. */
public sealed interface PartitionSpec permits TimePartitioned, PartitionSpec.Unpartitioned {

  /** The spec of a table without Hive partitions. */
  PartitionSpec NONE = new Unpartitioned();

  /** The partition columns, in the order of the directories; none for an unpartitioned table. */
  List<String> columns();

  /**
   * The field that holds a record's time, as a dotted path. Empty: the record's own timestamp
   * decides, or nothing does.
   */
  Optional<String> timestampField();

  /** The zone in which times without one are read, and in which paths are written. */
  ZoneId zone();

  /** A new assigner, for one thread. */
  PartitionAssigner assigner();

  /** All records lie in one place. */
  record Unpartitioned() implements PartitionSpec {
    @Override
    public List<String> columns() {
      return List.of();
    }

    @Override
    public Optional<String> timestampField() {
      return Optional.empty();
    }

    @Override
    public ZoneId zone() {
      return ZoneOffset.UTC;
    }

    @Override
    public PartitionAssigner assigner() {
      return epochMillis -> HivePartition.WHOLE_TABLE;
    }
  }
}
