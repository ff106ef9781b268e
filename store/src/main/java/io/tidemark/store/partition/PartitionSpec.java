package io.tidemark.store.partition;

import java.util.List;
import java.util.Optional;

/** Defines how the records of a table are divided into Hive partitions. */
public interface PartitionSpec {

  /** The spec of an unpartitioned table. */
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

  /**
   * Returns the partition columns, in the order of the directories; empty for an unpartitioned
   * table.
   */
  List<String> columns();

  /**
   * Returns the fields, as dotted paths, that determine a record's Hive partition; the {@link
   * #valuePaths} come first.
   */
  List<String> fieldPaths();

  /** Returns the fields whose values are used as text. */
  default List<String> valuePaths() {
    return List.of();
  }

  /** Returns the division by time, alone or below other columns; empty if there is none. */
  default Optional<TimePartitioned> time() {
    return Optional.empty();
  }
}
