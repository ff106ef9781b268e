package io.tidemark.store.table;

import io.tidemark.store.partition.HivePartition;
import java.io.Closeable;
import java.util.Collection;
import java.util.List;

/** The part of a catalog that changes nothing. Implementations are thread-safe. */
public interface ReadOnlyCatalog extends Closeable {

  /** Returns the Hive partitions whose files queries do not see. */
  List<UnseenPartition> unseen(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException;

  /** Rejects an existing table that registering the definition would not change into it. */
  default void requireFit(TableDefinition table)
      throws CatalogUnavailableException, CatalogConflictException {}

  @Override
  void close();
}
