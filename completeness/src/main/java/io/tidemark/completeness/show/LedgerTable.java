package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;

/**
 * The ledger's tables in Hive. Times are text, in UTC and with the zone, so that they can be
 * compared as text and are the same in every session.
 */
record LedgerTable(String directory, List<String> partitionColumns, Schema schema) {

  /** The completeness of topics, tables, groups and batches: each file has a row for each. */
  static final LedgerTable WATERMARKS =
      new LedgerTable(
          "watermarks",
          List.of("log_id"),
          record("Watermark")
              .requiredString("kind")
              .requiredString("name")
              .optionalString("complete_through")
              .optionalString("asked_at")
              .optionalString("held_because")
              .requiredLong("ledger_entry")
              .optionalLong("announced")
              .optionalLong("landed")
              .optionalLong("dead_lettered")
              .optionalLong("skipped")
              .endRecord());

  /** A Hive partition, without files, for each complete Hive partition of a landed table. */
  static final LedgerTable COMPLETE =
      new LedgerTable(
          "complete",
          List.of("table_name", "hive_partition"),
          record("Complete").optionalLong("ledger_entry").endRecord());

  /** The completions of Hive partitions, and the counts of late records. */
  static final LedgerTable PARTITIONS =
      new LedgerTable(
          "partitions",
          List.of("log_id", "month"),
          record("HivePartition")
              .requiredString("table_name")
              .requiredString("hive_partition")
              .optionalString("from_time")
              .optionalString("until_time")
              .requiredLong("revision")
              .optionalString("asked_at")
              .requiredLong("records")
              .requiredLong("bytes")
              .requiredLong("files")
              .requiredLong("late")
              .requiredBoolean("partial")
              .endRecord());

  /** The batches in the ledger, with a row for each Hive partition in which a batch landed. */
  static final LedgerTable BATCHES =
      new LedgerTable(
          "batches",
          List.of("log_id", "day"),
          record("Batch")
              .requiredString("topic")
              .requiredInt("topic_partition")
              .requiredLong("generation")
              .requiredLong("entry")
              .requiredLong("first_offset")
              .requiredLong("next_offset")
              .requiredLong("landed")
              .requiredLong("dead_lettered")
              .requiredLong("skipped")
              .requiredLong("not_delivered")
              .requiredLong("lost")
              .optionalString("table_name")
              .optionalString("hive_partition")
              .requiredLong("records")
              .requiredLong("bytes")
              .requiredLong("files")
              .optionalString("min_time")
              .optionalString("max_time")
              .requiredString("written_at")
              .endRecord());

  private static SchemaBuilder.FieldAssembler<Schema> record(String name) {
    return SchemaBuilder.record(name).namespace("io.tidemark.ledger").fields();
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
