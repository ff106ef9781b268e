package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.store.partition.PartitionSpan;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.Optional;

/** Computes the span of event times that belong to a Hive partition. */
public interface Spans {

  /**
   * Returns the instants of a Hive partition.
   *
   * @param timestamp event time of a record in the Hive partition, in milliseconds since 1970
   * @return the instants; empty if its path does not contain a time, or is not the path for this
   *     timestamp
   */
  Optional<PartitionSpan> of(HivePartitionId hivePartition, long timestamp);

  /**
   * Returns a table's Hive partition at an instant, if empty Hive partitions are created for the
   * table.
   *
   * @return the Hive partition; empty if none are created for the table
   */
  default Optional<PartitionSpan> at(TableName table, Instant instant) {
    return Optional.empty();
  }
}
