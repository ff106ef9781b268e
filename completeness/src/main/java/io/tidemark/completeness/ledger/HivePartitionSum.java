package io.tidemark.completeness.ledger;

import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableName;
import java.util.List;
import java.util.TreeMap;

/** The sum of a batch's files in one Hive partition. Times are milliseconds since 1970. */
public record HivePartitionSum(
    TableName table,
    HivePartition hivePartition,
    long records,
    long bytes,
    long files,
    long minTimestamp,
    long maxTimestamp) {

  public HivePartitionSum {
    if (records < 0 || bytes < 0 || files < 1 || maxTimestamp < minTimestamp) {
      throw new IllegalArgumentException(
          "not a sum of files of %s/%s: %d records, %d bytes, %d files, times from %d to %d"
              .formatted(table, hivePartition, records, bytes, files, minTimestamp, maxTimestamp));
    }
  }

  public static List<HivePartitionSum> of(List<DataFile> files) {
    TreeMap<HivePartitionId, HivePartitionSum> sums = new TreeMap<>();
    for (DataFile file : files) {
      HivePartitionSum sum =
          new HivePartitionSum(
              file.table(),
              file.hivePartition(),
              file.records(),
              file.bytes(),
              1,
              file.minTimestamp(),
              file.maxTimestamp());
      sums.merge(sum.id(), sum, HivePartitionSum::plus);
    }
    return List.copyOf(sums.values());
  }

  public HivePartitionId id() {
    return new HivePartitionId(table, hivePartition);
  }

  private HivePartitionSum plus(HivePartitionSum more) {
    return new HivePartitionSum(
        table,
        hivePartition,
        records + more.records,
        bytes + more.bytes,
        files + more.files,
        Math.min(minTimestamp, more.minTimestamp),
        Math.max(maxTimestamp, more.maxTimestamp));
  }
}
