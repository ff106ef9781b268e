package io.tidemark.store.table;

import io.tidemark.store.partition.HivePartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A catalog in memory, for tests. Safe for use by many threads. */
public class MemoryCatalog implements TableCatalog {
  private final Map<TableName, TableDefinition> tables = new HashMap<>();

  /** The location of each Hive partition, by its path. */
  private final Map<TableName, TreeMap<String, String>> partitions = new HashMap<>();

  @Override
  public synchronized boolean exists(TableName table) {
    return tables.containsKey(table);
  }

  @Override
  public synchronized Set<HivePartition> partitions(TableName table) {
    return paths(table).stream().map(HivePartition::parse).collect(Collectors.toSet());
  }

  /** The paths of a table's Hive partitions. Example: {@code hour=07} */
  public synchronized Set<String> paths(TableName table) {
    return Set.copyOf(locations(table).keySet());
  }

  /** The location where readers find a Hive partition's files. */
  public synchronized Optional<String> location(TableName table, HivePartition partition) {
    return Optional.ofNullable(locations(table).get(partition.path()));
  }

  /** A table as it was last registered. */
  public synchronized Optional<TableDefinition> table(TableName table) {
    return Optional.ofNullable(tables.get(table));
  }

  @Override
  public synchronized void registerTable(TableDefinition table) throws CatalogConflictException {
    if (tables.containsKey(table.name())) {
      requireOurs(table);
    }
    tables.put(table.name(), table);
  }

  @Override
  public synchronized List<UnseenPartition> addPartitions(
      TableDefinition table, Collection<HivePartition> added) throws CatalogConflictException {
    requireOurs(table);
    return added.stream()
        .flatMap(
            partition -> {
              String ours = table.location() + "/" + partition.path();
              String existing = locations(table.name()).putIfAbsent(partition.path(), ours);
              return existing == null || existing.equals(ours)
                  ? Optional.<UnseenPartition>empty().stream()
                  : Optional.of(
                      new UnseenPartition(
                          table.name(), partition, ours, Optional.of(existing), Optional.empty()))
                      .stream();
            })
        .toList();
  }

  @Override
  public synchronized void dropPartitions(TableDefinition table, Collection<HivePartition> dropped)
      throws CatalogConflictException {
    if (exists(table.name())) {
      requireOurs(table);
      dropped.forEach(partition -> locations(table.name()).remove(partition.path()));
    }
  }

  @Override
  public synchronized void relocatePartition(
      TableDefinition table, HivePartition partition, String location)
      throws CatalogConflictException {
    requireOurs(table);
    if (locations(table.name()).replace(partition.path(), location) == null) {
      throw new CatalogConflictException(
          table.name() + ": the Hive partition " + partition + " is not there");
    }
  }

  /** Drops a table, as an operator does. Its files remain. */
  public synchronized void drop(TableName table) {
    tables.remove(table);
    partitions.remove(table);
  }

  private Map<String, String> locations(TableName table) {
    return partitions.computeIfAbsent(table, each -> new TreeMap<>());
  }

  private void requireOurs(TableDefinition table) throws CatalogConflictException {
    TableDefinition existing = tables.get(table.name());
    if (existing == null) {
      throw new CatalogConflictException(table.name() + ": the table was dropped");
    }
    if (!existing.location().equals(table.location())) {
      throw new CatalogConflictException(
          table.name()
              + ": its files lie in "
              + existing.location()
              + ", not in "
              + table.location());
    }
    if (!existing.partitionColumns().equals(table.partitionColumns())) {
      throw new CatalogConflictException(
          table.name()
              + ": its partition columns are "
              + existing.partitionColumns()
              + ", not "
              + table.partitionColumns());
    }
  }

  @Override
  public void close() {}
}
