package io.tidemark.connect.table;

import io.tidemark.connect.table.partition.HivePartition;
import java.io.Closeable;
import java.util.Collection;

/**
 * Where queries find tables: the Hive Metastore. Implementations are safe for use by many threads.
 */
public interface TableCatalog extends Closeable {

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
