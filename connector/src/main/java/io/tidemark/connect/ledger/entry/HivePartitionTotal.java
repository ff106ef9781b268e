package io.tidemark.connect.ledger.entry;

import io.tidemark.connect.ledger.account.HivePartitionId;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.HivePartition;
import java.time.Instant;
import java.util.Optional;

/**
 * What has landed in a Hive partition: in a reckoning what it took, in a checkpoint all.
 *
 * @param from the first instant that belongs there; empty where its path is none of time
 * @param until the first instant after it that does not; empty as {@code from} is
 * @param late how many of the records came when it had been complete
 * @param partial the ledger has not seen all of its files
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

  /** This total with what came on top. */
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
