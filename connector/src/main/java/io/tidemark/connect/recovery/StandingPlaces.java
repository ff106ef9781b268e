package io.tidemark.connect.recovery;

import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.table.CatalogMarkers;
import io.tidemark.connect.table.LayoutChangedException;
import io.tidemark.connect.table.LayoutFile;
import io.tidemark.connect.table.LogTables;
import io.tidemark.connect.table.TableLayout;
import io.tidemark.connect.table.TableRoot;
import io.tidemark.connect.text.PrintableText;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the root of a table against those below which the log has landed into a table of the same
 * name: a catalog has one place for a name. Asks the store alone, and nothing more than the list of
 * the log's tables where a table was never moved. Safe for use by many threads; a call waits for
 * the store.
 */
public final class StandingPlaces {
  private static final Logger LOG = LoggerFactory.getLogger(StandingPlaces.class);

  private final Storage storage;
  private final LogTables tables;

  /** {@code tables} are those of the log. */
  public StandingPlaces(Storage storage, LogTables tables) {
    this.storage = storage;
    this.tables = tables;
  }

  /**
   * Refuses a table that the catalog knows by files below another root; to be called where tables
   * are registered, before anything is committed.
   */
  public void requireAsBefore(TableRoot table)
      throws IOException, CorruptLogException, LayoutChangedException {
    for (TableLayout former : tables.formerRoots(table)) {
      CatalogMarkers markers = new CatalogMarkers(storage, former);
      boolean registered;
      try {
        // What was registered before anything landed left nothing in the catalog.
        registered =
            markers.isRegistered(table.table())
                && new LayoutFile(storage, former).read().isPresent();
      } catch (IOException e) {
        LOG.warn(
            "{}: {}, a former root of the table, cannot be looked at: {}",
            table.table(),
            former.root(),
            PrintableText.of(e));
        continue;
      }
      if (registered) {
        throw new LayoutChangedException(
            "topics.dir",
            "%s is registered in Hive with the files below %s (%s says so), and new files would lie in %s, where Hive does not look. Put the former topics.dir or hive.table.location back, or set another hive.table.name: records then land in a new table from where the log stands. If Hive is to have the table in the new place, without the rows in the former one, drop it in Hive (the files of an external table stay), remove %s, and restart the connector."
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
