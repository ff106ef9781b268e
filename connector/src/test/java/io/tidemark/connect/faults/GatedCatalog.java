package io.tidemark.connect.faults;

import io.tidemark.connect.table.CatalogUnavailableException;
import io.tidemark.connect.table.TableCatalog;
import io.tidemark.connect.table.TableDefinition;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.HivePartition;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** A catalog whose calls go through a {@link CallGate}. */
record GatedCatalog(MemoryCatalog catalog, CallGate gate) implements TableCatalog {

  @Override
  public boolean exists(TableName table) throws CatalogUnavailableException {
    return read("catalog exists " + table, () -> catalog.hasTable(table));
  }

  @Override
  public Set<HivePartition> partitions(TableName table) throws CatalogUnavailableException {
    return read("catalog partitions " + table, () -> catalog.hivePartitions(table));
  }

  private <T> T read(String name, CallGate.Call<T> call) throws CatalogUnavailableException {
    try {
      return gate.ask(name, call);
    } catch (IOException e) {
      throw new CatalogUnavailableException(name + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void registerTable(TableDefinition table) throws CatalogUnavailableException {
    change("catalog registerTable " + table.name(), () -> catalog.registerTable(table));
  }

  @Override
  public void addPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException {
    List<HivePartition> added = List.copyOf(partitions);
    change("catalog addPartitions " + table.name(), () -> catalog.addPartitions(table, added));
  }

  private void change(String name, CallGate.Change change) throws CatalogUnavailableException {
    try {
      gate.change(name, change);
    } catch (IOException e) {
      throw new CatalogUnavailableException(name + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {}
}
