package io.tidemark.connect.table;

import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.StoragePath;
import io.tidemark.connect.storage.StoredFile;
import io.tidemark.connect.table.partition.HivePartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a table holds by its directories, for tables of which the logs no longer tell. Names of
 * files are not taken apart; those of directories are, as Hive does.
 */
public final class HiveDirectories {
  private final Storage storage;
  private final TableLayout table;

  public HiveDirectories(Storage storage, TableLayout table) {
    this.storage = storage;
    this.table = table;
  }

  /** Nothing stands in the table where Hive would see it. */
  public boolean isEmpty() throws IOException {
    return visible(table.root()).isEmpty();
  }

  /**
   * Which partition columns files of the table have. Of directories of one column the last is
   * looked at, so this costs a listing for each column.
   */
  public Set<List<String>> columns() throws IOException {
    Set<List<String>> found = new LinkedHashSet<>();
    collectColumns(table.root(), "", found);
    return found;
  }

  private void collectColumns(StoragePath directory, String path, Set<List<String>> found)
      throws IOException {
    Map<String, StoredFile> lastOfColumn = new LinkedHashMap<>();
    for (StoredFile standing : visible(directory)) {
      String name = standing.path().name();
      if (!standing.directory()) {
        found.add(HivePartition.parse(path).columns());
      } else if (name.indexOf('=') > 0) {
        lastOfColumn.put(name.substring(0, name.indexOf('=')), standing);
      }
    }
    for (StoredFile last : lastOfColumn.values()) {
      collectColumns(last.path(), below(path, last), found);
    }
  }

  /**
   * The Hive partitions that there are directories of.
   *
   * @param columns the table's partition columns; directories of others are left out
   */
  public List<HivePartition> partitions(List<String> columns) throws IOException {
    List<HivePartition> found = new ArrayList<>();
    if (!columns.isEmpty()) {
      collectPartitions(table.root(), "", columns, found);
    }
    return found;
  }

  /** Whether files stand in the directory of a Hive partition. */
  public boolean holdsFiles(HivePartition partition) throws IOException {
    return visible(table.partitionDirectory(partition)).stream()
        .anyMatch(standing -> !standing.directory());
  }

  private void collectPartitions(
      StoragePath directory, String path, List<String> columns, List<HivePartition> found)
      throws IOException {
    for (StoredFile standing : visible(directory)) {
      String name = standing.path().name();
      if (!standing.directory() || !name.startsWith(columns.get(0) + "=")) {
        continue;
      }
      String below = below(path, standing);
      if (columns.size() == 1) {
        HivePartition partition = HivePartition.parse(below);
        // Else Hive would look for its files elsewhere.
        if (partition.path().equals(below)) {
          found.add(partition);
        }
      } else {
        collectPartitions(standing.path(), below, columns.subList(1, columns.size()), found);
      }
    }
  }

  private static String below(String path, StoredFile directory) {
    return path.isEmpty() ? directory.path().name() : path + "/" + directory.path().name();
  }

  private List<StoredFile> visible(StoragePath directory) throws IOException {
    return storage.list(directory).stream()
        .filter(standing -> TableLayout.isVisible(standing.path()))
        .toList();
  }
}
