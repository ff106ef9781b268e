package io.tidemark.store.table;

import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import java.util.List;

/**
 * A data file of a batch, with its smallest and largest offset and event time.
 *
 * @param schemaVersion of the table schema with which the file was written
 * @param schemaIds of the writer schemas of the file's records
 * @param minTimestamp in milliseconds since the epoch
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
