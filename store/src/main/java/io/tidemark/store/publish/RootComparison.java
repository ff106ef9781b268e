package io.tidemark.store.publish;

import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.table.LayoutChangedException;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableRoot;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the root of a table with the former roots of tables of the same name in the log
 * directory. A catalog has only one location for a name. The class never reads the catalog. For a
 * table that was never moved, it reads only the list of tables ({@code +tables}). Thread-safe. A
 * call waits for the store.
 *
 * @param tables those of the log directory
 */
public record RootComparison(Storage storage, LogTables tables) {
  private static final Logger LOG = LoggerFactory.getLogger(RootComparison.class);

  /**
   * Rejects a table that the catalog has with files below another root. Called if tables are
   * registered, before anything is committed.
   */
  public void requireAsBefore(TableRoot table)
      throws IOException, CorruptLogException, LayoutChangedException {
    for (TableLayout former : tables.formerRoots(table)) {
      MarkerFiles markers = new MarkerFiles(storage, former);
      boolean registered;
      try {
        // Without a recorded layout nothing has landed, so the catalog has no table at this root.
        registered =
            markers.isRegistered(table.table())
                && new LayoutFile(storage, former).read().isPresent();
      } catch (IOException e) {
        LOG.warn(
            "{}: {}, a former root of the table, cannot be read: {}",
            table.table(),
            former.root(),
            PrintableText.of(e));
        continue;
      }
      if (registered) {
        throw new LayoutChangedException(
            "topics.dir",
            "%s is registered in Hive with the files below %s (marker: %s), but new files would be written to %s, where Hive would not find them. Put the former topics.dir or hive.table.location back, or set another hive.table.name: records from the log's next offset then land in a new table. If Hive is to have the table in the new place, without the rows in the former one, drop it in Hive (the files of an external table stay), remove %s, and restart the connector with hive.integration=false until each topic-partition of the table has landed a batch, and then with hive.integration=true."
                .formatted(
                    table.table(),
                    former.root(),
                    markers.place(table.table()),
                    table.root(),
                    markers.place(table.table())));
      }
    }
  }
}
