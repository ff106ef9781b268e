package io.tidemark.store.table;

import io.tidemark.store.partition.HivePartition;
import java.io.Closeable;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The catalog in which queries find tables: the Hive Metastore. Implementations are thread-safe.
 */
public interface TableCatalog extends Closeable {

  /**
   * Returns whether a table of this name exists, created by any program.
   *
   * @throws CatalogUnavailableException the catalog is unavailable: retry
   * @throws CatalogConflictException the catalog rejects the request
   */
  boolean exists(TableName table) throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Returns the Hive partitions of a table.
   *
   * @throws CatalogUnavailableException the catalog is unavailable: retry
   * @throws CatalogConflictException the catalog rejects the request
   */
  Set<HivePartition> partitions(TableName table)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Creates the table, or updates its schema and parameters. Idempotent.
   *
   * @throws CatalogUnavailableException the catalog is unavailable: retry
   * @throws CatalogConflictException the existing table must not be changed by the connector
   */
  void registerTable(TableDefinition table)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Adds the Hive partitions that are missing. Idempotent.
   *
   * @return the Hive partitions whose files remain invisible to queries, because the catalog has
   *     them with another location, or cannot distinguish them from other Hive partitions
   * @throws CatalogUnavailableException the catalog is unavailable: retry
   * @throws CatalogConflictException the table is missing or does not belong to the connector, or
   *     the catalog rejects a Hive partition
   */
  List<UnseenPartition> addPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Adds the Hive partitions that are missing, as {@link #addPartitions(TableDefinition,
   * Collection)}.
   *
   * @param expectedMissing the Hive partitions that the catalog probably lacks. They decide only
   *     which requests are sent first, never the result
   */
  default List<UnseenPartition> addPartitions(
      TableDefinition table,
      Collection<HivePartition> partitions,
      Set<HivePartition> expectedMissing)
      throws CatalogUnavailableException, CatalogConflictException {
    return addPartitions(table, partitions);
  }

  /**
   * Removes the Hive partitions that exist, and keeps their files. Idempotent.
   *
   * @throws CatalogUnavailableException the catalog is unavailable: retry
   * @throws CatalogConflictException the table is not the connector's
   */
  void dropPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Changes the directory in which queries look for a Hive partition's files. No file is moved. The
   * catalog cannot fence, so use this method only for Hive partitions that have one writer.
   * Idempotent.
   *
   * @param location a URI. Example: {@code hdfs://namenode:8020/ledger/hive/batches/day=2026-11-21}
   * @throws CatalogUnavailableException the catalog is unavailable: retry
   * @throws CatalogConflictException the Hive partition does not exist, or its table is not the
   *     connector's
   */
  void relocatePartition(TableDefinition table, HivePartition partition, String location)
      throws CatalogUnavailableException, CatalogConflictException;
}
