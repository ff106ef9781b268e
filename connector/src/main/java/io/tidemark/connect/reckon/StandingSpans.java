package io.tidemark.connect.reckon;

import io.tidemark.connect.storage.Storage;
import io.tidemark.connect.storage.log.CorruptLogException;
import io.tidemark.connect.table.LayoutFile;
import io.tidemark.connect.table.RecordedLayout;
import io.tidemark.connect.table.Table;
import io.tidemark.connect.table.TableName;
import io.tidemark.connect.table.partition.TimePartitioned;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How tables are divided by time: by the layout that is recorded beside each. A configuration that
 * asks for another one is refused by the tasks; taken here, it would complete Hive partitions at
 * the times of others. Used by one thread.
 */
final class StandingSpans {
  private final Storage storage;
  private final Map<TableName, Optional<TimePartitioned>> known = new HashMap<>();

  StandingSpans(Storage storage) {
    this.storage = storage;
  }

  /** How a table is divided by time; as it is configured where nothing has landed in it yet. */
  Optional<TimePartitioned> of(ReckonedTable reckoned) throws IOException {
    Table table = reckoned.table();
    Optional<TimePartitioned> before = known.get(table.name());
    if (before != null) {
      return before;
    }
    Optional<TimePartitioned> standing;
    try {
      Optional<RecordedLayout> recorded = new LayoutFile(storage, table.layout()).read();
      standing = recorded.isPresent() ? standing(recorded.get(), reckoned) : reckoned.byTime();
    } catch (CorruptLogException | IllegalArgumentException | DateTimeException e) {
      standing = Optional.empty(); // The table's tasks say so, and stop.
    }
    known.put(table.name(), standing);
    return standing;
  }

  /** An earlier build has recorded less: then the configuration says the rest, if it agrees. */
  private static Optional<TimePartitioned> standing(RecordedLayout layout, ReckonedTable reckoned) {
    RecordedLayout configured = RecordedLayout.of(reckoned.table().partitioning());
    return layout.firstDifference(configured).isEmpty() ? reckoned.byTime() : layout.byTime();
  }
}
