package io.tidemark.connect.table;

import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.table.partition.HivePartition;
import java.util.List;

/**
 * A data file of a batch: where it is staged, where it is published, and what is in it.
 *
 * @param staged where it was written
 * @param path where it is published
 * @param bytes the file's length
 * @param schemaVersion the version of the table's schema that its datums have
 * @param schemaIds the ids that its records were written with, as texts
 * @param firstOffset the smallest offset in it
 * @param lastOffset the largest offset in it
 * @param minTimestamp the smallest event time, in milliseconds since the epoch
 * @param maxTimestamp the largest event time, in milliseconds since the epoch
 */
public record DataFile(
    TableName table,
    StoragePath staged,
    StoragePath path,
    HivePartition hivePartition,
    long records,
    long bytes,
    String codec,
    int schemaVersion,
    List<String> schemaIds,
    long firstOffset,
    long lastOffset,
    long minTimestamp,
    long maxTimestamp) {

  public DataFile {
    schemaIds = List.copyOf(schemaIds);
  }
}
