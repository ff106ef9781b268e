package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import java.util.List;
import org.apache.avro.Schema;

/**
 * The ledger's tables in Hive. Times are text, in UTC and with the zone, so that they can be
 * compared as text and are the same in every session.
 */
record LedgerTable(String directory, List<String> partitionColumns, Schema schema) {

  /** The completeness of topics, tables, groups and batches: each file has a row for each. */
  static final LedgerTable WATERMARKS = new LedgerTable("watermarks", "log_id");

  /** A Hive partition, without files, for each complete Hive partition of a landed table. */
  static final LedgerTable COMPLETE = new LedgerTable("complete", "table_name", "hive_partition");

  /** The completions of Hive partitions, and the counts of late records. */
  static final LedgerTable PARTITIONS = new LedgerTable("partitions", "log_id", "month");

  /** The batches in the ledger, with a row for each Hive partition in which a batch landed. */
  static final LedgerTable BATCHES = new LedgerTable("batches", "log_id", "day");

  /** A table whose rows have the schema of the resource {@code <directory>.avsc}. */
  private LedgerTable(String directory, String... partitionColumns) {
    this(directory, List.of(partitionColumns), LedgerEvents.schema(directory + ".avsc"));
  }

  /** Returns the directory of the table's files. Example: {@code /ledger/hive/watermarks} */
  StoragePath root(StoragePath ledgerDirectory) {
    return ledgerDirectory.child("hive").child(directory);
  }

  /** Returns the directory of the merged files, which replace the files of a past day or month. */
  StoragePath mergedRoot(StoragePath ledgerDirectory) {
    return ledgerDirectory.child("hive").child("compacted").child(directory);
  }

  StoragePath directory(LedgerDirectories folders) {
    return root(folders.root()).child(ofLog(folders));
  }

  /** Returns the path of one log's rows, below each of both roots. Example: {@code log_id=sales} */
  static String ofLog(LedgerDirectories folders) {
    return WATERMARKS.partition(folders.logId()).path();
  }

  HivePartition partition(String... values) {
    return new HivePartition(partitionColumns, List.of(values));
  }
}
