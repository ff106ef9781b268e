package io.tidemark.store.publish;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.HiveDirectories;
import io.tidemark.store.table.LayoutChangedException;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.Table;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Compares the configured layout of tables with their recorded layout. A table that has files, and
 * no recorded layout, is rejected. The class caches tables that agree, so these reads happen once
 * for each table. Thread-safe. A call waits for the store.
 */
public final class LayoutComparison {
  private final Storage storage;
  private final Set<Layout> recorded = ConcurrentHashMap.newKeySet();
  private final Set<Layout> withoutFiles = ConcurrentHashMap.newKeySet();

  /** The key of the cache: several topics may share one table, each with its own settings. */
  private record Layout(StoragePath root, String settings) {
    static Layout of(Table table) {
      return new Layout(table.layout().root(), RecordedLayout.of(table.partitioning()).toString());
    }
  }

  public LayoutComparison(Storage storage) {
    this.storage = storage;
  }

  /** Rejects another layout than the table's, and files without one. Called at each claim. */
  public void requireAsBefore(Table table)
      throws IOException, CorruptLogException, LayoutChangedException {
    Layout layout = Layout.of(table);
    if (recorded.contains(layout) || withoutFiles.contains(layout)) {
      return;
    }
    if (agrees(table)) {
      record(table); // Removes the temporary file of a task that stopped.
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

  /** As {@link #requireAsBefore} without the cache; false if the table has no layout yet. */
  public boolean agrees(Table table)
      throws IOException, CorruptLogException, LayoutChangedException {
    LayoutFile file = new LayoutFile(storage, table.layout());
    Optional<RecordedLayout> existing = file.read();
    if (existing.isPresent()) {
      requireSame(existing.get(), file, table);
      return true;
    }
    if (new HiveDirectories(storage, table.layout()).holdsFiles()) {
      throw new LayoutChangedException(
          "topics.dir",
          "%s in %s has files, but %s is missing. If another sink has landed the files, see docs/MIGRATION.md: tidemark adopt continues its table. If this connector has landed them, restore that file from a copy; or, if the table's partitioning was never changed in the configuration, create it again: %s. Otherwise move the files away, or set another topics.dir, and with Hive another hive.table.name, too."
              .formatted(
                  table.name(),
                  table.layout().root(),
                  file.place(),
                  LayoutFile.line(RecordedLayout.of(table.partitioning()))));
    }
    return false;
  }

  private static void requireSame(RecordedLayout existing, LayoutFile file, Table table)
      throws LayoutChangedException {
    Optional<String> difference = existing.firstDifference(RecordedLayout.of(table.partitioning()));
    if (difference.isPresent()) {
      throw new LayoutChangedException(
          difference.get(),
          "%s in %s is laid out by %s (columns %s, %s; restore it from a copy if it was damaged), but the configuration has %s. Queries cannot read two layouts in one table. Put the former settings back, or set another topics.dir, and with Hive another hive.table.name, too. Records from the log's next offset then land in a new table."
              .formatted(
                  table.name(),
                  table.layout().root(),
                  existing,
                  existing.columns(),
                  file.place(),
                  RecordedLayout.of(table.partitioning())));
    }
  }
}
