package io.tidemark.connect.pipeline;

import io.tidemark.connect.table.CatalogUnavailableException;
import io.tidemark.connect.table.TableCatalog;
import io.tidemark.connect.table.TableDefinition;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.UnseenPartition;
import io.tidemark.connect.table.partition.HivePartition;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A catalog that registers no table until it is there. Safe for use by threads. */
final class AwayCatalog implements TableCatalog {
  volatile boolean away = true;

  @Override
  public boolean exists(TableName table) {
    return true;
  }

  @Override
  public Set<HivePartition> partitions(TableName table) {
    return Set.of();
  }

  @Override
  public void registerTable(TableDefinition definition) throws CatalogUnavailableException {
    if (away) {
      throw new CatalogUnavailableException("away", new IllegalStateException("away"));
    }
  }

  @Override
  public List<UnseenPartition> addPartitions(
      TableDefinition table, Collection<HivePartition> partitions) {
    return List.of();
  }

  @Override
  public void dropPartitions(TableDefinition table, Collection<HivePartition> partitions) {}

  @Override
  public void relocatePartition(TableDefinition table, HivePartition partition, String location) {}

  @Override
  public void close() {}
}
