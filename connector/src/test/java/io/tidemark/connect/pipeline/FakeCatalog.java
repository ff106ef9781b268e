package io.tidemark.connect.pipeline;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.Storage;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A catalog of the few tables of a test. It recreates a missing table when it gets its Hive
 * partitions. Safe for use by threads.
 */
final class FakeCatalog extends MemoryCatalog {
  private final Set<TableName> names = new HashSet<>();

  @Override
  public synchronized List<UnseenPartition> addPartitions(
      TableDefinition table, Collection<HivePartition> added) throws CatalogConflictException {
    registerTable(table);
    names.add(table.name());
    return super.addPartitions(table, added);
  }

  /** The paths of all Hive partitions. Example: {@code key=a} */
  synchronized Set<String> partitions() {
    Set<String> paths = new HashSet<>();
    names.forEach(name -> paths.addAll(paths(name)));
    return paths;
  }

  /** A separate registrar for a task. */
  Registrar registrar(Storage storage) {
    return new Registrar(storage, this, table -> Map.of(), MonotonicClock.system());
  }
}
