package io.tidemark.connect.pipeline;

import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.EmptyCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;

/**
 * A catalog that is unavailable, and registers no table, until a test makes it available. Safe for
 * use by threads.
 */
final class AwayCatalog extends EmptyCatalog {
  volatile boolean away = true;

  @Override
  public boolean exists(TableName table) throws CatalogUnavailableException {
    if (away) {
      throw new CatalogUnavailableException("away", new IllegalStateException("away"));
    }
    return super.exists(table);
  }

  @Override
  public void registerTable(TableDefinition definition) throws CatalogUnavailableException {
    if (away) {
      throw new CatalogUnavailableException("away", new IllegalStateException("away"));
    }
  }
}
