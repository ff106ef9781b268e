package io.tidemark.store.table;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.partition.HivePartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the Hive partitions of a table by its directories, and registers them, for tables whose
 * entries are no longer in the logs. Only names of directories are parsed, as Hive does.
 */
public record HiveDirectories(Storage storage, TableLayout table) {
  private static final Logger LOG = LoggerFactory.getLogger(HiveDirectories.class);

  /** Returns whether the table has no file or directory that is visible to Hive. */
  public boolean isEmpty() throws IOException {
    return visible(table.root()).isEmpty();
  }

  /** Returns whether the table, or any of its Hive partitions, contains files. */
  public boolean holdsFiles() throws IOException {
    return holdsFiles(table.root());
  }

  private boolean holdsFiles(StoragePath directory) throws IOException {
    List<StoredFile> existing = visible(directory);
    if (existing.stream().anyMatch(each -> !each.directory())) {
      return true;
    }
    for (StoredFile each : existing) {
      if (each.path().name().indexOf('=') > 0 && holdsFiles(each.path())) {
        return true;
      }
    }
    return false;
  }

  /** Directories of other columns are ignored. */
  public List<HivePartition> partitions(List<String> columns) throws IOException {
    return List.copyOf(changedAfter(Long.MIN_VALUE, columns).keySet());
  }

  /**
   * As {@link #partitions}, with the time of its last change for each; without those below a
   * directory that did not change after a time in ms.
   */
  public Map<HivePartition, Long> changedAfter(long ms, List<String> columns) throws IOException {
    Map<HivePartition, Long> found = new LinkedHashMap<>();
    if (!columns.isEmpty()) {
      collectPartitions(table.root(), columns, ms, found);
    }
    return found;
  }

  /**
   * Returns the Hive partitions with files that a catalog's database may equate with one of these,
   * and that are before it in the order of names. They must be added before it: a database that
   * equates them has only the first one, and this one would replace a dropped one.
   */
  public List<HivePartition> equatedBefore(List<HivePartition> these) throws IOException {
    Map<List<String>, String> paths = new HashMap<>();
    these.stream()
        .filter(HivePartition::mayBeEquated)
        .forEach(
            each ->
                paths.merge(
                    each.compared(), each.path(), BinaryOperator.maxBy(Comparator.naturalOrder())));
    List<HivePartition> before = new ArrayList<>();
    List<HivePartition> all = paths.isEmpty() ? List.of() : partitions(these.get(0).columns());
    for (HivePartition each : all) {
      String path = paths.getOrDefault(each.compared(), "");
      if (each.path().compareTo(path) < 0 && holdsFiles(each)) {
        before.add(each);
      }
    }
    return before;
  }

  /** Registers those with files that the catalog lacks. Returns those that queries do not see. */
  public List<UnseenPartition> registerIn(TableCatalog catalog, TableDefinition definition)
      throws IOException, CatalogConflictException {
    List<HivePartition> existing = partitions(definition.partitionColumns());
    if (existing.isEmpty()) {
      return List.of();
    }
    Set<HivePartition> registered = catalog.partitions(definition.name());
    Set<HivePartition> missing = new LinkedHashSet<>();
    for (HivePartition each : existing) {
      if (!registered.contains(each) && holdsFiles(each)) {
        missing.add(each);
      }
    }
    if (missing.isEmpty()) {
      return List.of();
    }
    LOG.info(
        "{}: registering {} Hive partitions that are in {} and not in Hive",
        definition.name(),
        missing.size(),
        table.root());
    return catalog.addPartitions(definition, missing, missing);
  }

  private boolean holdsFiles(HivePartition partition) throws IOException {
    return visible(table.partitionDirectory(partition)).stream()
        .anyMatch(existing -> !existing.directory());
  }

  private void collectPartitions(
      StoragePath directory, List<String> columns, long afterMs, Map<HivePartition, Long> found)
      throws IOException {
    for (StoredFile existing : visible(directory)) {
      String name = existing.path().name();
      if (!existing.directory()
          || existing.modifiedMs() <= afterMs
          || !name.startsWith(columns.get(0) + "=")) {
        continue;
      }
      String below =
          existing.path().value().substring(table.root().child("=").value().length() - 1);
      if (columns.size() == 1) {
        HivePartition partition = HivePartition.parse(below);
        // Hive would look for the files of such a Hive partition in another directory.
        if (partition.path().equals(below)) {
          found.put(partition, existing.modifiedMs());
        }
      } else {
        collectPartitions(existing.path(), columns.subList(1, columns.size()), afterMs, found);
      }
    }
  }

  private List<StoredFile> visible(StoragePath directory) throws IOException {
    return storage.list(directory).stream()
        .filter(existing -> TableLayout.isVisible(existing.path()))
        .toList();
  }
}
