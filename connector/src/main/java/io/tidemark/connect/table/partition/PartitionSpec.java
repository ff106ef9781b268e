package io.tidemark.connect.table.partition;

import java.util.List;
import java.util.Optional;

/** How the records of a table are divided over its Hive partitions. */
public interface PartitionSpec {

  /** The spec of a table without Hive partitions. */
  PartitionSpec NONE =
      new PartitionSpec() {
        @Override
        public List<String> columns() {
          return List.of();
        }

        @Override
        public List<String> fieldPaths() {
          return List.of();
        }

        @Override
        public String toString() {
          return "Unpartitioned";
        }
      };

  /** The partition columns, in the order of the directories; none for an unpartitioned table. */
  List<String> columns();

  /**
   * The fields, as dotted paths, that decide where a record lies; the {@link #valuePaths} first.
   */
  List<String> fieldPaths();

  /** Those of the fields whose values are taken as texts. */
  default List<String> valuePaths() {
    return List.of();
  }

  /** How the table is divided by time, alone or below other columns; empty where it is not. */
  default Optional<TimePartitioned> time() {
    return Optional.empty();
  }
}
