package io.tidemark.connect.reckon;

import io.tidemark.connect.ledger.Spans;
import io.tidemark.connect.ledger.entry.HivePartitionId;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.TimePartitioned;
import io.tidemark.connect.table.partition.UnusableTimestampException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The spans of tables that are divided by time. A Hive partition that is not at the path of today's
 * configuration has none: what it holds is known to the configuration that made it alone.
 *
 * @param tables those that are divided by time, with how
 */
public record TimeSpans(Map<TableName, TimePartitioned> tables) implements Spans {

  public TimeSpans {
    tables = Map.copyOf(tables);
  }

  @Override
  public Optional<Span> of(HivePartitionId hivePartition, long timestamp) {
    TimePartitioned table = tables.get(hivePartition.table());
    if (table == null) {
      return Optional.empty();
    }
    try {
      return table
          .span(timestamp)
          .filter(span -> span.partition().equals(hivePartition.hivePartition()))
          .filter(span -> span.contains(Instant.ofEpochMilli(timestamp)))
          .map(span -> new Span(span.from(), span.until()));
    } catch (UnusableTimestampException e) {
      return Optional.empty(); // No record of this time lands in a Hive partition.
    }
  }
}
