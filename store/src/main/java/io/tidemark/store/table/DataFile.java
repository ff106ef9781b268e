package io.tidemark.store.table;

import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import java.util.List;

/**
 * A data file of a batch: its staged path, its published path, and its content.
 *
 * @param staged the path at which the file was written
 * @param path the path at which the file is published
 * @param bytes the file's length
 * @param schemaVersion the version of the table schema with which the file was written
 * @param schemaIds the ids of the writer schemas of the file's records, as texts
 * @param firstOffset the smallest offset in the file
 * @param lastOffset the largest offset in the file
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
