package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.PrintableText;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of the ledger that are no longer configured, as the store has recorded them: they have
 * another name now, or their last topic was taken out. Their last Hive partitions become complete
 * like those of other tables. Not thread-safe.
 */
final class FormerTables {
  private static final Logger LOG = LoggerFactory.getLogger(FormerTables.class);
  private static final long LOOK_MS = 60_000;

  private final ReckonerServices services;
  private final LogTables listed;
  private final Map<TableName, Table> known = new HashMap<>();

  /** When to look again for a table of which the store has no readable record. */
  private final Map<TableName, Long> lookAtMs = new HashMap<>();

  private final Set<TableName> awaited = new HashSet<>();

  FormerTables(ReckonerServices services) {
    this.services = services;
    this.listed = new LogTables(services.storage(), services.log());
  }

  /** Adds the tables that the ledger has and {@code configured} has not. */
  Map<TableName, ReckonedTable> with(Map<TableName, ReckonedTable> configured, LedgerState ledger)
      throws IOException {
    boolean manifests =
        configured.isEmpty()
            || configured.values().stream().anyMatch(each -> each.table().options().successFiles());
    Map<TableName, ReckonedTable> all = new HashMap<>(configured);
    for (Map.Entry<String, TableState> each : ledger.tables().entrySet()) {
      TableName name = TableName.parse(each.getKey());
      if (!all.containsKey(name)) {
        find(name, each.getValue().topics(), manifests)
            .ifPresent(table -> all.put(name, new ReckonedTable(table, each.getValue().topics())));
      }
    }
    return all;
  }

  /** Returns the tables of which the record is missing, and the directory is not. */
  Set<TableName> awaited() {
    return Set.copyOf(awaited);
  }

  private Optional<Table> find(TableName name, List<String> topics, boolean manifests)
      throws IOException {
    long nowMs = services.monotonic().millis();
    if (known.containsKey(name) || nowMs < lookAtMs.getOrDefault(name, Long.MIN_VALUE)) {
      return Optional.ofNullable(known.get(name));
    }
    String problem = "the store has no layout.json of it";
    awaited.remove(name);
    try {
      List<TableLayout> places = new ArrayList<>(listed.roots(name));
      Optional<StoragePath> last = places.size() > 1 ? lastRoot(name, topics) : Optional.empty();
      places.sort(Comparator.comparing(place -> !last.equals(Optional.of(place.root()))));
      for (TableLayout place : places) {
        if (services.storage().find(place.root()).isPresent()) {
          awaited.add(name);
        }
        Optional<RecordedLayout> layout = new LayoutFile(services.storage(), place).read();
        if (layout.isPresent()) {
          TableOptions options = TableOptions.ofSuccessFiles(manifests);
          Table table = new Table(name, place, layout.get().partitioning(), options);
          known.put(name, table);
          awaited.remove(name);
          return Optional.of(table);
        }
      }
    } catch (IOException | CorruptLogException | IllegalArgumentException | DateTimeException e) {
      problem = PrintableText.messageOf(e);
      awaited.add(name);
    }
    if (lookAtMs.put(name, nowMs + LOOK_MS) == null) {
      LOG.warn(
          "{}: the table is no longer configured, and its Hive partitions cannot be looked up: {}. Restore the file from a copy: the connector looks again each minute, and waits while the table's directory exists. If the table was removed, acknowledge its holds with tidemark repair.",
          name,
          problem);
    }
    return Optional.empty();
  }

  /** Returns the root that the newest entry names: the table may have been moved. */
  private Optional<StoragePath> lastRoot(TableName name, List<String> topics)
      throws IOException, CorruptLogException {
    Map<Instant, StoragePath> roots = new TreeMap<>(Comparator.reverseOrder());
    for (String topic : topics) {
      for (TopicPartition each :
          CommitLog.topicPartitions(services.storage(), services.log(), topic)) {
        for (NumberedEntry<CommitEntry> entry : services.logOf(each).after(0)) {
          entry.entry().asBatch().stream()
              .flatMap(batch -> batch.tables().stream())
              .filter(table -> table.table().equals(name))
              .forEach(table -> roots.put(entry.entry().writtenAt(), table.root()));
        }
      }
    }
    return roots.values().stream().findFirst();
  }
}
