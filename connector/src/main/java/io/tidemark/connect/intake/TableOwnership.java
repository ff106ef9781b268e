package io.tidemark.connect.intake;

import io.tidemark.store.SharedAnswers;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.commit.CommitLog;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.LogRefusedException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.table.LogIdentity;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.StagingDirectories.Shown;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableOwner;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a log the owner of its tables, before each claim, and compares the log with the marker
 * files and staging directories in its tables. Thread-safe.
 */
final class TableOwnership {
  private static final Logger LOG = LoggerFactory.getLogger(TableOwnership.class);

  private final PipelineServices services;
  private final Storage storage;
  private final StoragePath directory;
  private final LogTables logTables;
  private final Function<String, List<Table>> configured;
  private final SharedAnswers<Map.Entry<String, List<Table>>, Tables> established;

  TableOwnership(
      PipelineServices services, StoragePath logsRoot, Function<String, List<Table>> configured) {
    this.services = services;
    this.storage = services.staging().storage();
    this.directory = logsRoot.child(services.settings().logId());
    this.logTables = new LogTables(storage, directory);
    this.configured = configured;
    this.established = new SharedAnswers<>(services.monotonic());
  }

  /** As {@link #establish(String, List)}, for all claims that began before. */
  Tables establish(String topic, List<Table> tables, long afterMs) throws Exception {
    return established.after(afterMs, Map.entry(topic, tables), () -> establish(topic, tables));
  }

  /** Requires that the log directory is this connector's, and that no other owns its tables. */
  private Tables establish(String topic, List<Table> tables)
      throws IOException, CorruptLogException, LogRefusedException {
    PipelineSettings settings = services.settings();
    String clusterId = services.topics().identity(topic).clusterId();
    LogOwner owner = new LogOwner(settings.logId(), settings.claimant().connector());
    if (!LogOwner.existsIn(storage, directory)) {
      owner.requireNew(storage, directory);
      requireNoOwner(topic, tables);
    }
    LogIdentity log =
        new LogIdentity(
            owner.establish(storage, directory),
            settings.logId(),
            storage.location() + directory,
            clusterId);
    for (Table table : tables) {
      new TableOwner(storage, table.layout()).own(topic, log, settings.consent());
      logTables.add(table.name(), table.layout(), topic);
      if (services.registrar().isPresent()) { // where names must be unique
        logTables.requireOwnName(table.name(), table.layout(), topic, configured);
        logTables.requireFormerRoot(table.root());
      }
      logTables.requireOwnPlace(table.name(), table.layout(), topic, configured);
      services.layouts().requireAsBefore(table);
    }
    List<TableLayout> present = tables.stream().map(Table::layout).toList();
    Set<TableLayout> all = new LinkedHashSet<>(present);
    all.addAll(logTables.of(topic));
    return new Tables(present, all);
  }

  /** Requires that no log directory has owned the tables, not even one that was removed. */
  private void requireNoOwner(String topic, List<Table> tables)
      throws IOException, CorruptLogException, LogRefusedException {
    try {
      for (Table table : tables) {
        new TableOwner(storage, table.layout())
            .requireNone(topic, storage.location() + directory, services.settings().consent());
      }
    } catch (LogRefusedException e) {
      // Another task may have created both meanwhile. establish() then compares the log's owner.
      if (!LogOwner.existsIn(storage, directory)) {
        throw e;
      }
    }
  }

  /** The tables in which records land; and all in which any owner has staged files, these first. */
  record Tables(List<TableLayout> present, Set<TableLayout> all) {}

  /**
   * Returns the log's last entry. Rejects a log that was restored from an older copy: marker files
   * or staging directories in a table have a higher number than this entry.
   */
  Optional<NumberedEntry<CommitEntry>> requireAsNewAs(
      Tables tables, CommitLog log, StagingDirectories staging)
      throws IOException, CorruptLogException, LogRefusedException {
    Map<TableLayout, Shown> shown = staging.shown(tables.all(), tables.present());
    // Read the log after the tables: an entry is appended before a table has a marker file of it.
    Optional<NumberedEntry<CommitEntry>> last = log.last();
    long number = last.map(NumberedEntry::number).orElse(0L);
    for (Map.Entry<TableLayout, Shown> table : shown.entrySet()) {
      if (table.getValue().entry() > number) {
        requireConsent(log.directory(), last, table.getKey(), table.getValue());
        LOG.warn(
            "{}: removed the marker files of entries up to {} from {}",
            log.directory(),
            table.getValue().entry(),
            table.getKey().stagingRoot());
        staging.removeAfter(number, table.getKey());
      }
      if (tables.present().contains(table.getKey())) {
        new MarkerFiles(storage, table.getKey())
            .replaceAfter(number, staging, table.getValue().markers());
      }
    }
    return last;
  }

  /** Rejects a log that lacks entries of the table: records that have landed would land again. */
  private void requireConsent(
      StoragePath log, Optional<NumberedEntry<CommitEntry>> end, TableLayout table, Shown shown)
      throws LogRefusedException {
    long last = end.map(NumberedEntry::number).orElse(0L);
    // The numbers alone may be the same at another restore of the same copy.
    Optional<UUID> identity = end.map(each -> each.entry().identity());
    UUID step =
        OperatorConsent.step(
            "older log", log, table.root(), identity, shown.entry(), shown.claim());
    if (!services.settings().consent().agreesTo(step)) {
      throw new LogRefusedException(
          "%1$s: the log ends at entry %2$d, but %3$s shows that it had entry %4$d, whose files may be in the table. So the log was restored from an older copy, or entries were removed. The records that have landed since would land again. Restore the newest copy of the log, or a copy of log and table that belong together. Only if you have moved away from the table the files of all entries after %2$d whose records Kafka still has (docs/OPERATIONS.md, \"An older log\"), set operator.consent=%5$s. Rows of files that remain are duplicated, and the task stops until those whose names repeat are moved away.%6$s"
              .formatted(
                  log,
                  last,
                  table.stagingRoot(),
                  shown.entry(),
                  step,
                  last == 0
                      ? " "
                          + StagingDirectories.REMOVED
                          + " A log without entries begins at the consumer group's offset: reset this to land all records that Kafka has."
                      : ""));
    }
    LOG.warn("{}: with operator.consent={}, the task continues after entry {}", log, step, last);
  }
}
