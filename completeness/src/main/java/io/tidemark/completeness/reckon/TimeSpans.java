package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Spans;
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
 * @param tables the tables that are divided by time, with their division
 * @param withEmpties the tables for which empty Hive partitions are created
 */
public record TimeSpans(Map<TableName, TimePartitioned> tables, Set<TableName> withEmpties)
    implements Spans {

  public TimeSpans {
    tables = Map.copyOf(tables);
    withEmpties = Set.copyOf(withEmpties);
  }

  @Override
  public Optional<PartitionSpan> at(TableName table, Instant instant) {
    TimePartitioned time = tables.get(table);
    if (time == null || !withEmpties.contains(table)) {
      return Optional.empty();
    }
    try {
      return time.span(instant.toEpochMilli()).filter(span -> span.until().isAfter(instant));
    } catch (UnusablePartitionException e) {
      return Optional.empty(); // The partitioner rejects records of this time.
    }
  }

  @Override
  public Optional<PartitionSpan> of(HivePartitionId hivePartition, long timestamp) {
    TimePartitioned table = tables.get(hivePartition.table());
    if (table == null) {
      return Optional.empty();
    }
    try {
      return table
          .span(timestamp)
          .filter(span -> hivePartition.hivePartition().endsWith(span.partition()))
          .filter(span -> span.contains(Instant.ofEpochMilli(timestamp)));
    } catch (UnusablePartitionException e) {
      return Optional.empty(); // The partitioner rejects records of this time.
    }
  }
}
