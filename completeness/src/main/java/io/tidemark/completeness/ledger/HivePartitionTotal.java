package io.tidemark.completeness.ledger;

import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.Optional;

/**
 * The records and files that landed in a Hive partition. In a reckoning, these are the records and
 * files of the accounts that the entry read; in a checkpoint, all.
 *
 * @param from the first instant of the Hive partition; empty if its path does not contain a time
 * @param until the first instant after the Hive partition; empty if {@code from} is empty
 * @param late the number of records that were read after the Hive partition was complete
 * @param partial whether the ledger may lack files of the Hive partition
 */
public record HivePartitionTotal(
    TableName table,
    HivePartition hivePartition,
    Optional<Instant> from,
    Optional<Instant> until,
    long records,
    long bytes,
    long files,
    long late,
    boolean partial) {

  public HivePartitionTotal {
    if (records < 0 || bytes < 0 || files < 0 || late < 0 || late > records) {
      throw new IllegalArgumentException(
          "%s/%s cannot have %d records (%d late) and %d bytes in %d files"
              .formatted(table, hivePartition, records, late, bytes, files));
    }
    if (from.isPresent() != until.isPresent()
        || (from.isPresent() && !from.get().isBefore(until.get()))) {
      throw new IllegalArgumentException(
          "%s/%s cannot last from %s until %s".formatted(table, hivePartition, from, until));
    }
  }

  public HivePartitionId id() {
    return new HivePartitionId(table, hivePartition);
  }

  public HivePartitionTotal asPartial() {
    return new HivePartitionTotal(
        table, hivePartition, from, until, records, bytes, files, late, true);
  }

  public HivePartitionTotal plus(HivePartitionTotal more) {
    return new HivePartitionTotal(
        table,
        hivePartition,
        from.or(more::from),
        until.or(more::until),
        records + more.records,
        bytes + more.bytes,
        files + more.files,
        late + more.late,
        partial || more.partial);
  }
}
