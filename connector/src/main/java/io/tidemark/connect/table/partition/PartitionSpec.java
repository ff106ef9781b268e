package io.tidemark.connect.table.partition;

import java.util.List;

/** How the records of a table are divided over its Hive partitions. */
public sealed interface PartitionSpec
    permits TimePartitioned, FieldPartitioned, PartitionSpec.Unpartitioned {

  /** The spec of a table without Hive partitions. */
  PartitionSpec NONE = new Unpartitioned();

  /** The partition columns, in the order of the directories; none for an unpartitioned table. */
  List<String> columns();

  /** The fields, as dotted paths, that decide where a record lies. */
  List<String> fieldPaths();

  /** All records lie in one place. */
  record Unpartitioned() implements PartitionSpec {
    @Override
    public List<String> columns() {
      return List.of();
    }

    @Override
    public List<String> fieldPaths() {
      return List.of();
    }
  }
}
