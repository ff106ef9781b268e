package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Creates the directories of empty Hive partitions before the Hive partitions are added to the
 * catalog. Otherwise the catalog would create these directories as its own user. Not thread-safe.
 */
record EmptyDirectories(Storage storage) {
  /**
   * Creates missing directories, except in tables whose own directory was removed. If the store
   * refuses a directory of one table, other tables do not wait.
   *
   * @param ids the Hive partitions that are to become complete; those with records have a directory
   * @return tables in which the store refuses a directory, with the store's message and the cure
   */
  Map<TableName, String> make(Set<HivePartitionId> ids, Map<TableName, ReckonedTable> tables)
      throws IOException {
    Set<StoragePath> roots = new HashSet<>();
    Map<TableName, String> closed = new HashMap<>();
    for (HivePartitionId id : new TreeSet<>(ids)) {
      ReckonedTable table = tables.get(id.table());
      if (table == null || !table.withEmpties() || closed.containsKey(id.table())) {
        continue;
      }
      StoragePath root = table.table().layout().root();
      try {
        if (roots.contains(root) || storage.find(root).isPresent()) {
          roots.add(root);
          storage.makeDirectories(table.table().layout().partitionDirectory(id.hivePartition()));
        }
      } catch (StoreRefusedException e) {
        closed.put(
            id.table(),
            "the store refuses the directory of %s, which has no records: %s"
                .formatted(id.hivePartition().path(), e.getMessage()));
      }
    }
    return closed;
  }

  /**
   * Returns the Hive partitions in which readers find files. Such files belong to entries that were
   * folded before the ledger read them, or to other programs.
   */
  Set<HivePartitionId> filled(Set<HivePartitionId> ids, Map<TableName, ReckonedTable> tables)
      throws IOException {
    Set<HivePartitionId> filled = new HashSet<>();
    for (HivePartitionId id : ids) {
      ReckonedTable table = tables.get(id.table());
      if (table != null
          && storage.list(table.table().layout().partitionDirectory(id.hivePartition())).stream()
              .anyMatch(existing -> TableLayout.isVisible(existing.path()))) {
        filled.add(id);
      }
    }
    return filled;
  }
}
