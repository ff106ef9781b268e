package io.tidemark.connect.pipeline;

import io.tidemark.connect.format.avro.AvroFormat;
import io.tidemark.connect.publish.Registrar;
import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.table.CatalogConflictException;
import io.tidemark.connect.table.TableCatalog;
import io.tidemark.connect.table.TableDefinition;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.HivePartition;
import io.tidemark.connect.time.MonotonicClock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Tables in memory, whose location and partition columns stay as they were made. Safe for use by
 * threads.
 */
final class FakeCatalog implements TableCatalog {
  private final Map<TableName, List<String>> partitionColumns = new HashMap<>();
  private final Map<TableName, String> locations = new HashMap<>();
  private final Set<String> partitions = new TreeSet<>();

  @Override
  public synchronized boolean exists(TableName table) {
    return partitionColumns.containsKey(table);
  }

  @Override
  public synchronized Set<HivePartition> partitions(TableName table) {
    return partitions.stream().map(HivePartition::parse).collect(Collectors.toSet());
  }

  @Override
  public synchronized void registerTable(TableDefinition table) throws CatalogConflictException {
    String location = locations.putIfAbsent(table.name(), table.location());
    if (location != null && !location.equals(table.location())) {
      throw new CatalogConflictException(
          table.name() + ": its files lie in " + location + ", not in " + table.location());
    }
    List<String> standing = partitionColumns.putIfAbsent(table.name(), table.partitionColumns());
    if (standing != null && !standing.equals(table.partitionColumns())) {
      throw new CatalogConflictException(
          table.name()
              + ": its partition columns are "
              + standing
              + ", not "
              + table.partitionColumns());
    }
  }

  @Override
  public synchronized void addPartitions(TableDefinition table, Collection<HivePartition> added)
      throws CatalogConflictException {
    registerTable(table);
    added.forEach(partition -> partitions.add(partition.path()));
  }

  /** Somebody drops a table; its files stay. */
  synchronized void drop(TableName table) {
    partitionColumns.remove(table);
    locations.remove(table);
    partitions.clear();
  }

  /** The paths of all Hive partitions. Example: {@code key=a} */
  synchronized Set<String> partitions() {
    return Set.copyOf(partitions);
  }

  /** A registrar of its own for a task. */
  Registrar registrar(Storage storage) {
    return new Registrar(storage, this, AvroFormat.INSTANCE, Map.of(), MonotonicClock.system());
  }

  @Override
  public void close() {}
}
