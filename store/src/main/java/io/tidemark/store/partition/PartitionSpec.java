package io.tidemark.store.partition;

import java.util.List;
import java.util.Optional;

/** Defines how the records of a table are divided into Hive partitions. */
public interface PartitionSpec {

  /** An unpartitioned table. */
  PartitionSpec NONE =
      new PartitionSpec() {
        @Override
        public List<String> columns() {
          return List.of();
        }

        @Override
        public String toString() {
          return "Unpartitioned";
        }
      };

  /** In the order of the directories; empty for an unpartitioned table. */
  List<String> columns();

  /** The fields, as dotted paths, that determine a Hive partition; {@link #valuePaths} first. */
  default List<String> fieldPaths() {
    return List.of();
  }

  /** The fields whose values are used as text. */
  default List<String> valuePaths() {
    return List.of();
  }

  /** Returns the division by time, alone or below other columns; empty if there is none. */
  default Optional<TimePartitioned> time() {
    return Optional.empty();
  }
}
