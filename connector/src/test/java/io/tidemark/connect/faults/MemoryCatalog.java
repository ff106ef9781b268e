package io.tidemark.connect.faults;

import io.tidemark.connect.table.TableDefinition;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.HivePartition;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The tables and Hive partitions that queries would find. Used by one thread. */
final class MemoryCatalog {
  private final Map<TableName, TableDefinition> tables = new HashMap<>();
  private final Map<TableName, Set<HivePartition>> partitions = new HashMap<>();

  void registerTable(TableDefinition table) {
    tables.put(table.name(), table);
  }

  void addPartitions(TableDefinition table, Collection<HivePartition> added) {
    partitions.computeIfAbsent(table.name(), name -> new HashSet<>()).addAll(added);
  }

  boolean hasTable(TableName table) {
    return tables.containsKey(table);
  }

  Set<HivePartition> hivePartitions(TableName table) {
    return Set.copyOf(partitions.getOrDefault(table, Set.of()));
  }

  /** The paths of a table's Hive partitions. Example: {@code hour=07} */
  Set<String> partitions(TableName table) {
    Set<String> paths = new HashSet<>();
    partitions.getOrDefault(table, Set.of()).forEach(partition -> paths.add(partition.path()));
    return paths;
  }
}
