package io.tidemark.connect.table;

import io.tidemark.connect.table.partition.HivePartition;
import java.io.Closeable;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Where queries find tables: the Hive Metastore. Implementations are safe for use by many threads.
 */
public interface TableCatalog extends Closeable {

  /**
   * Whether there is a table of this name, whoever made it.
   *
   * @throws CatalogUnavailableException the catalog is away: try again
   * @throws CatalogConflictException the catalog refuses to answer
   */
  boolean exists(TableName table) throws CatalogUnavailableException, CatalogConflictException;

  /**
   * The Hive partitions of a table that there is.
   *
   * @throws CatalogUnavailableException the catalog is away: try again
   * @throws CatalogConflictException the catalog refuses to answer
   */
  Set<HivePartition> partitions(TableName table)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Makes the table, or brings its schema and parameters up to date. Idempotent.
   *
   * @throws CatalogUnavailableException the catalog is away: try again
   * @throws CatalogConflictException what stands there is not ours to change
   */
  void registerTable(TableDefinition table)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Adds those Hive partitions that are missing. Idempotent.
   *
   * @return those whose files queries do not see all the same: the catalog has them with another
   *     location, or cannot tell them from others
   * @throws CatalogUnavailableException the catalog is away: try again
   * @throws CatalogConflictException the table is not there or not ours, or the catalog refuses a
   *     Hive partition
   */
  List<UnseenPartition> addPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Removes those Hive partitions that are there. Their files stay. Idempotent.
   *
   * @throws CatalogUnavailableException the catalog is away: try again
   * @throws CatalogConflictException the table is not ours
   */
  void dropPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException;

  /**
   * Has a Hive partition's files looked for in another directory. No file is moved, and the catalog
   * cannot fence: only for Hive partitions that have one writer. Idempotent.
   *
   * @param location a URI. Example: {@code hdfs://namenode:8020/ledger/hive/batches/day=2026-11-21}
   * @throws CatalogUnavailableException the catalog is away: try again
   * @throws CatalogConflictException the Hive partition is not there, or its table is not ours
   */
  void relocatePartition(TableDefinition table, HivePartition partition, String location)
      throws CatalogUnavailableException, CatalogConflictException;
}
