package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.store.partition.PartitionSpan;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.UnusablePartitionException;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The spans of tables that are divided by time, alone or together with other columns. A Hive
 * partition whose path does not match the present configuration has no span, because only the
 * configuration that created it determines its span.
 *
 * @param withEmpties the tables for which empty Hive partitions are created
 */
public record TimeSpans(Map<TableName, TimePartitioned> tables, Set<TableName> withEmpties) {

  public TimeSpans {
    tables = Map.copyOf(tables);
    withEmpties = Set.copyOf(withEmpties);
  }

  /** Returns a table's Hive partition at an instant; empty if the table gets no empty ones. */
  public Optional<PartitionSpan> at(TableName table, Instant instant) {
    return withEmpties.contains(table)
        ? span(table, instant.toEpochMilli()).filter(span -> span.until().isAfter(instant))
        : Optional.empty();
  }

  /**
   * Returns the instants of a Hive partition that has a record of this time, in milliseconds since
   * 1970; empty if its path does not contain a time, or is not the path for the time.
   */
  public Optional<PartitionSpan> of(HivePartitionId hivePartition, long timestamp) {
    return span(hivePartition.table(), timestamp)
        .filter(span -> hivePartition.hivePartition().endsWith(span.partition()))
        .filter(span -> span.contains(Instant.ofEpochMilli(timestamp)));
  }

  private Optional<PartitionSpan> span(TableName table, long timestamp) {
    TimePartitioned time = tables.get(table);
    try {
      return time == null ? Optional.empty() : time.span(timestamp);
    } catch (UnusablePartitionException e) {
      return Optional.empty(); // The partitioner rejects records of this time.
    }
  }
}
