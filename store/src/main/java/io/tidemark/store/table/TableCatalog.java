package io.tidemark.store.table;

import io.tidemark.store.partition.HivePartition;
import java.io.Closeable;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The catalog in which queries find tables: the Hive Metastore. Implementations are thread-safe.
 * After a {@link CatalogUnavailableException} the caller retries. A {@link
 * CatalogConflictException} means that it rejects the request, or the table must not change.
 */
public interface TableCatalog extends Closeable {

  /** Returns whether any program has created a table of this name. */
  boolean exists(TableName table) throws CatalogUnavailableException, CatalogConflictException;

  Set<HivePartition> partitions(TableName table)
      throws CatalogUnavailableException, CatalogConflictException;

  /** Creates the table, or updates its schema and parameters. Idempotent. */
  void registerTable(TableDefinition table)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Adds missing Hive partitions. Idempotent. Returns those whose files remain invisible to
   * queries, because the catalog has them with another location, or cannot distinguish them.
   */
  List<UnseenPartition> addPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException;

  /** As above. What is probably missing only decides which requests are sent first. */
  default List<UnseenPartition> addPartitions(
      TableDefinition table,
      Collection<HivePartition> partitions,
      Set<HivePartition> expectedMissing)
      throws CatalogUnavailableException, CatalogConflictException {
    return addPartitions(table, partitions);
  }

  /** Removes the Hive partitions that exist, and keeps their files. Idempotent. */
  void dropPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Changes the directory, a URI, in which queries look for a Hive partition's files. No file is
   * moved. The catalog cannot fence: use this only for Hive partitions with one writer. Idempotent.
   */
  void relocatePartition(TableDefinition table, HivePartition partition, String location)
      throws CatalogUnavailableException, CatalogConflictException;
}
