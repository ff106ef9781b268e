package io.tidemark.connect.table;

import io.tidemark.connect.table.partition.HivePartition;
import java.io.Closeable;
import java.util.Collection;
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
   * @throws CatalogUnavailableException the catalog is away: try again
   * @throws CatalogConflictException a Hive partition stands there with another location
   */
  void addPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException;
}
