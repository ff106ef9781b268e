package io.tidemark.connect.faults;

import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A catalog whose calls go through a {@link CallGate}. */
record GatedCatalog(MemoryCatalog catalog, CallGate gate) implements TableCatalog {

  @Override
  public boolean exists(TableName table) throws CatalogUnavailableException {
    return read("catalog exists " + table, () -> catalog.exists(table));
  }

  @Override
  public Set<HivePartition> partitions(TableName table) throws CatalogUnavailableException {
    return read("catalog partitions " + table, () -> catalog.partitions(table));
  }

  private <T> T read(String name, CallGate.Call<T> call) throws CatalogUnavailableException {
    try {
      return gate.ask(name, call);
    } catch (IOException e) {
      throw new CatalogUnavailableException(name + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void registerTable(TableDefinition table)
      throws CatalogUnavailableException, CatalogConflictException {
    change(
        "catalog registerTable " + table.name(),
        () -> {
          catalog.registerTable(table);
          return table;
        });
  }

  @Override
  public List<UnseenPartition> addPartitions(
      TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException {
    List<HivePartition> added = List.copyOf(partitions);
    return change(
        "catalog addPartitions " + table.name(), () -> catalog.addPartitions(table, added));
  }

  @Override
  public void dropPartitions(TableDefinition table, Collection<HivePartition> partitions)
      throws CatalogUnavailableException, CatalogConflictException {
    List<HivePartition> dropped = List.copyOf(partitions);
    change(
        "catalog dropPartitions " + table.name(),
        () -> {
          catalog.dropPartitions(table, dropped);
          return dropped;
        });
  }

  @Override
  public void relocatePartition(TableDefinition table, HivePartition partition, String location)
      throws CatalogUnavailableException, CatalogConflictException {
    change(
        "catalog relocatePartition " + table.name(),
        () -> {
          catalog.relocatePartition(table, partition, location);
          return location;
        });
  }

  /** A change that the catalog makes or refuses. */
  private interface Change<T> {
    T make() throws CatalogConflictException;
  }

  /** The result of a call of the catalog. A refusal passes the gate as a value, too. */
  private record Answer<T>(Optional<T> answer, Optional<CatalogConflictException> refusal) {}

  private <T> T change(String name, Change<T> change)
      throws CatalogUnavailableException, CatalogConflictException {
    Answer<T> answer;
    try {
      answer =
          gate.change(
              name,
              () -> {
                try {
                  return new Answer<>(Optional.of(change.make()), Optional.empty());
                } catch (CatalogConflictException e) {
                  return new Answer<>(Optional.empty(), Optional.of(e));
                }
              });
    } catch (IOException e) {
      throw new CatalogUnavailableException(name + ": " + e.getMessage(), e);
    }
    if (answer.refusal().isPresent()) {
      throw answer.refusal().get();
    }
    return answer.answer().orElseThrow();
  }

  @Override
  public void close() {}
}
