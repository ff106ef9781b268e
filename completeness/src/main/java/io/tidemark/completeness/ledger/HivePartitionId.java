package io.tidemark.completeness.ledger;

import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;

/** A Hive partition of a table. Example: {@code default.orders/dt=2026-11-21/hour=08}. */
public record HivePartitionId(TableName table, HivePartition hivePartition)
    implements Comparable<HivePartitionId> {

  @Override
  public int compareTo(HivePartitionId other) {
    int byTable = table.toString().compareTo(other.table.toString());
    return byTable != 0 ? byTable : hivePartition.path().compareTo(other.hivePartition.path());
  }

  @Override
  public String toString() {
    return table + "/" + hivePartition;
  }
}
