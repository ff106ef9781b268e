package io.tidemark.connect.table;

import java.util.List;

/**
 * A Hive partition: its columns and their values, in order. An unpartitioned table has one, with no
 * columns.
 *
 * <p>Example of a path: {@code dt=2026-11-21/hour=07}
 */
public record HivePartition(List<String> columns, List<String> values) {

  /** The one place of an unpartitioned table. */
  public static final HivePartition WHOLE_TABLE = new HivePartition(List.of(), List.of());

  public HivePartition {
    columns = List.copyOf(columns);
    values = List.copyOf(values);
    if (columns.size() != values.size()) {
      throw new IllegalArgumentException(
          columns.size() + " columns, but " + values.size() + " values");
    }
  }
}
