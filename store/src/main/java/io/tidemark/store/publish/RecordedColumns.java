package io.tidemark.store.publish;

import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableRoot;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The partition columns of tables by their recorded layouts, each read once. Thread-safe. */
final class RecordedColumns {
  private final Storage storage;
  private final Map<StoragePath, List<String>> columns = new HashMap<>();

  RecordedColumns(Storage storage) {
    this.storage = storage;
  }

  /**
   * Returns the partition columns of a table. Only a former root, in which no records land any
   * more, may lack a recorded layout. The columns are then those of the file.
   */
  synchronized List<String> of(StoragePath root, DataFile file)
      throws IOException, CorruptLogException {
    List<String> known = columns.get(root);
    if (known == null) {
      known =
          new LayoutFile(storage, new TableLayout(root))
              .read()
              .map(RecordedLayout::columns)
              .orElse(file.hivePartition().columns());
      columns.put(root, known);
    }
    return known;
  }

  /** Rejects files that do not fit their table's layout: the catalog cannot show them. */
  void require(TableRoot table, List<DataFile> files)
      throws IOException, CorruptLogException, CatalogConflictException {
    for (DataFile file : files) {
      List<String> existing = of(table.root(), file);
      if (!file.hivePartition().columns().equals(existing)) {
        throw new CatalogConflictException(
            "%s: the published file %s%s is in the Hive partition \"%s\", but %s has the columns %s, so Hive cannot show it. That file was replaced or edited after the table's first batch. Restore it from a copy, then restart the task."
                .formatted(
                    table.table(),
                    storage.location(),
                    file.path(),
                    file.hivePartition(),
                    new LayoutFile(storage, new TableLayout(table.root())).place(),
                    existing));
      }
    }
  }
}
