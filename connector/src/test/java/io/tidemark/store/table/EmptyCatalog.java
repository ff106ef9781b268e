package io.tidemark.store.table;

import io.tidemark.store.partition.HivePartition;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A catalog that has every table, and accepts all changes without keeping them. */
public class EmptyCatalog implements TableCatalog {

  @Override
  public boolean exists(TableName table) throws CatalogUnavailableException {
    return true;
  }

  @Override
  public Set<HivePartition> partitions(TableName table) {
    return Set.of();
  }

  @Override
  public void registerTable(TableDefinition table)
      throws CatalogUnavailableException, CatalogConflictException {}

  @Override
  public List<UnseenPartition> addPartitions(
      TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException {
    return List.of();
  }

  @Override
  public void dropPartitions(TableDefinition table, Collection<HivePartition> partitions) {}

  @Override
  public void relocatePartition(TableDefinition table, HivePartition partition, String location) {}

  @Override
  public void close() {}
}
