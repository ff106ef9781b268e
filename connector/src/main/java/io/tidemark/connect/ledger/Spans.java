package io.tidemark.connect.ledger;

import io.tidemark.connect.ledger.account.HivePartitionId;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.HivePartition;
import java.time.Instant;
import java.util.Optional;

/** Which instants belong to a Hive partition. */
public interface Spans {

  /**
   * The instants of a Hive partition.
   *
   * @param timestamp the event time of a record in it, in milliseconds since the epoch
   * @return empty where its path is none of time, or not the one that the configuration gives
   */
  Optional<Span> of(HivePartitionId hivePartition, long timestamp);

  /**
   * The Hive partition of a table at an instant, where such are made that have no records.
   *
   * @return empty where they are not made for the table
   */
  default Optional<Dated> at(TableName table, Instant instant) {
    return Optional.empty();
  }

  /** A Hive partition with its instants. */
  record Dated(HivePartition hivePartition, Span span) {}

  /**
   * The instants from {@code from} up to, not including, {@code until}: all that belong to one Hive
   * partition lie between them.
   */
  record Span(Instant from, Instant until) {}
}
