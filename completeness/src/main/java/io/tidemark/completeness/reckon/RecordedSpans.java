package io.tidemark.completeness.reckon;

import io.tidemark.store.Storage;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Returns how tables are divided by time, according to the layout that is recorded for each table.
 * Tasks reject a configuration with another layout. With the times of such a configuration, Hive
 * partitions would count as complete too early or too late. Not thread-safe.
 */
final class RecordedSpans {
  private final Storage storage;
  private final Map<TableName, Optional<TimePartitioned>> known = new HashMap<>();

  RecordedSpans(Storage storage) {
    this.storage = storage;
  }

  /**
   * Returns how a table is divided by time: according to its recorded layout, or according to the
   * configuration if no record has landed in the table yet.
   *
   * @throws CorruptLogException the layout cannot be read, as with {@link IllegalArgumentException}
   *     and {@link DateTimeException}; the table's tasks report it
   */
  Optional<TimePartitioned> of(ReckonedTable reckoned) throws IOException, CorruptLogException {
    Table table = reckoned.table();
    Optional<TimePartitioned> before = known.get(table.name());
    if (before != null) {
      return before;
    }
    Optional<RecordedLayout> recorded = new LayoutFile(storage, table.layout()).read();
    Optional<TimePartitioned> existing =
        recorded.isPresent() ? recorded.get().byTime() : reckoned.byTime();
    known.put(table.name(), existing);
    return existing;
  }
}
