package io.tidemark.store.publish;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpec;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.UnusableTimestampException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.HiveDirectories;
import io.tidemark.store.table.LayoutChangedException;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compares the configured layout of tables with their existing layout. If a table has no recorded
 * layout, its layout is derived from the newest files in the topic's logs, or else from the table's
 * directories. The class caches tables that agree, so these reads happen once for each table.
 * Thread-safe. A call waits for the store.
 */
public final class StandingLayouts {
  private final Storage storage;
  private final LandedFiles landed;
  private final Set<Layout> recorded = ConcurrentHashMap.newKeySet();
  private final Set<Layout> withoutFiles = ConcurrentHashMap.newKeySet();

  /** The key of the cache: several topics may share one table, each with its own settings. */
  private record Layout(StoragePath root, String settings) {
    static Layout of(Table table) {
      return new Layout(table.layout().root(), RecordedLayout.of(table.partitioning()).toString());
    }
  }

  /** Creates the check; {@code logsRoot} is the directory of all logs. Example: {@code /logs} */
  public StandingLayouts(Storage storage, StoragePath logsRoot, String logId) {
    this.storage = storage;
    this.landed = new LandedFiles(storage, logsRoot, logId);
  }

  /**
   * Rejects a configured layout that differs from the table's. Called at each claim. Writes the
   * layout file of a table that an earlier build created.
   */
  public void requireAsBefore(String topic, Table table)
      throws IOException, CorruptLogException, LayoutChangedException {
    Layout layout = Layout.of(table);
    if (recorded.contains(layout) || withoutFiles.contains(layout)) {
      return;
    }
    if (agrees(topic, table)) {
      record(table);
    } else {
      withoutFiles.add(layout);
    }
  }

  /**
   * Writes the layout file of a table if the table has none. Called before a batch is committed.
   * Before its first batch a table has no layout, so a wrong configuration can be corrected.
   */
  public void record(Table table) throws IOException, CorruptLogException, LayoutChangedException {
    Layout layout = Layout.of(table);
    if (recorded.contains(layout)) {
      return;
    }
    LayoutFile file = new LayoutFile(storage, table.layout());
    requireSame(file.put(RecordedLayout.of(table.partitioning())), file, table);
    recorded.add(layout);
  }

  /**
   * Rejects a configured layout that differs from the table's, and changes nothing in the store.
   *
   * @return false if the table has no layout yet
   */
  public boolean agrees(String topic, Table table)
      throws IOException, CorruptLogException, LayoutChangedException {
    LayoutFile file = new LayoutFile(storage, table.layout());
    Optional<RecordedLayout> existing = file.read();
    if (existing.isPresent()) {
      requireSame(existing.get(), file, table);
      return true;
    }
    HiveDirectories directories = new HiveDirectories(storage, table.layout());
    if (directories.isEmpty()) {
      return false;
    }
    Optional<DataFile> telling = landed.telling(topic, table.layout());
    if (telling.isPresent()) {
      requireSame(telling.get(), table);
      return true;
    }
    Set<List<String>> columns = directories.columns();
    if (!columns.isEmpty() && !columns.contains(table.partitioning().columns())) {
      throw changed("partitioner.class", "has files by the partition columns " + columns, table);
    }
    return !columns.isEmpty();
  }

  private static void requireSame(RecordedLayout existing, LayoutFile file, Table table)
      throws LayoutChangedException {
    Optional<String> difference = existing.firstDifference(RecordedLayout.of(table.partitioning()));
    if (difference.isPresent()) {
      throw changed(
          difference.get(),
          "is laid out by "
              + existing
              + " (columns "
              + existing.columns()
              + ", "
              + file.place()
              + "; restore it from a copy if it was damaged)",
          table);
    }
  }

  private void requireSame(DataFile file, Table table) throws LayoutChangedException {
    String existing =
        "has in its log the file "
            + storage.location()
            + file.path()
            + " of the Hive partition \""
            + file.hivePartition()
            + "\", with times from "
            + file.minTimestamp()
            + " to "
            + file.maxTimestamp()
            + " ms";
    PartitionSpec partitioning = table.partitioning();
    if (!file.hivePartition().columns().equals(partitioning.columns())) {
      throw changed("partitioner.class", existing, table);
    }
    if (partitioning.time().filter(byTime -> !isPlaced(file, byTime)).isPresent()) {
      throw changed("path.format", existing, table);
    }
  }

  /**
   * Returns whether the present settings give the file's directory for the times of the file's
   * records.
   */
  private static boolean isPlaced(DataFile file, TimePartitioned byTime) {
    try {
      HivePartition existing = file.hivePartition();
      return existing.endsWith(byTime.assigner().assign(file.minTimestamp()))
          && existing.endsWith(byTime.assigner().assign(file.maxTimestamp()));
    } catch (UnusableTimestampException e) {
      return false;
    }
  }

  private static LayoutChangedException changed(String setting, String existing, Table table) {
    return new LayoutChangedException(
        setting,
        "%s in %s %s, but the configuration has %s. Queries cannot read two layouts in one table. Put the former settings back, or set another topics.dir, and with Hive another hive.table.name, too. Records from the log's next offset then land in a new table."
            .formatted(
                table.name(),
                table.layout().root(),
                existing,
                RecordedLayout.of(table.partitioning())));
  }
}
