package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.AccountedEntry;
import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Manifest;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.reckon.Announcer;
import io.tidemark.completeness.reckon.ReckonedTable;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Shows an entry of the ledger as manifests, rows of tables in Hive, and events. Not thread-safe.
 */
public final class Announcements implements Announcer {
  private final AnnouncementSettings settings;
  private final SuccessFiles successFiles;
  private final LedgerTables tables;
  private final LedgerFolder folder;
  private final Optional<Told> events;

  /**
   * Creates the announcements of a ledger.
   *
   * @param successFiles writes the manifests of tables for which manifests are enabled
   * @param tables writes the ledger's tables, which exist in Hive only if there is a catalog
   * @param events receives the events; empty if none are configured
   */
  public Announcements(
      AnnouncementSettings settings,
      SuccessFiles successFiles,
      LedgerTables tables,
      LedgerFolder folder,
      Optional<Told> events) {
    this.settings = settings;
    this.successFiles = successFiles;
    this.tables = tables;
    this.folder = folder;
    this.events = events;
  }

  @Override
  public long highestShown() throws IOException {
    return tables.highestShown();
  }

  /**
   * The destination of events.
   *
   * @param outbox stores the events until they are sent
   * @param put is called after events were added to the outbox
   */
  public record Told(EventOutbox outbox, Runnable put) {}

  @Override
  public Map<HivePartitionId, String> show(
      LedgerState before,
      NumberedEntry<LedgerEntry> entry,
      List<AccountedEntry> taken,
      Map<TableName, ReckonedTable> reckoned,
      boolean again)
      throws IOException, CatalogUnavailableException, CatalogConflictException {
    Optional<LedgerEntry.Reckoning> reckoning = entry.entry().asReckoning();
    Map<HivePartitionId, String> refused = new HashMap<>();
    if (reckoning.isPresent()) {
      for (Completion completion : reckoning.get().completions()) {
        ReckonedTable table = reckoned.get(completion.total().table());
        // A table that is no longer configured gets no manifest, because the directory of its files
        // is unknown.
        if (table != null && table.table().options().successFiles()) {
          Manifest manifest = manifest(entry.number(), before, reckoning.get(), completion);
          try {
            put(successFiles, table.table().layout(), manifest, again);
          } catch (StoreRefusedException e) {
            // A failure in the directory of one table must not delay other tables.
            refused.put(completion.total().id(), String.valueOf(e.getMessage()));
          }
        }
      }
    }
    tables.show(entry, taken);
    // Events come last, so that their readers find the files and rows.
    if (events.isPresent() && events.get().outbox().put(before, entry, taken)) {
      events.get().put().run();
    }
    return refused;
  }

  private static void put(SuccessFiles files, TableLayout table, Manifest manifest, boolean again)
      throws IOException {
    if (again) {
      files.putAgain(table, manifest);
    } else {
      files.put(table, manifest);
    }
  }

  @Override
  public Optional<String> refuses(ReckonedTable table, HivePartition hivePartition)
      throws IOException {
    try {
      if (table.table().options().successFiles()) {
        successFiles.tryToWrite(table.table().layout(), hivePartition);
      }
      return Optional.empty();
    } catch (StoreRefusedException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Manifest manifest(
      long number, LedgerState before, LedgerEntry.Reckoning reckoning, Completion completion) {
    TableState table = reckoning.state().tables().get(completion.total().table().toString());
    List<String> topics = table == null ? List.of() : table.topics();
    SortedMap<String, RecordCounts> counts = new TreeMap<>();
    for (String topic : topics) {
      Covering covering = reckoning.covered().get(topic);
      if (covering != null) {
        counts.put(topic, covering.counts());
      }
    }
    List<Hold> passed =
        Stream.concat(before.holds().stream(), reckoning.state().holds().stream())
            .distinct()
            .filter(hold -> topics.contains(hold.topic()))
            .filter(hold -> !hold.open() || !prevents(hold))
            .toList();
    return new Manifest(
        settings.logId(),
        completion,
        number,
        settings.lateness().toMillis(),
        settings.frameworkMayDrop(),
        counts,
        passed);
  }

  private boolean prevents(Hold hold) {
    return settings.rules().of(hold.topic()).holdOn().contains(hold.kind());
  }

  @Override
  public void fold(Instant now)
      throws IOException, CatalogUnavailableException, CatalogConflictException {
    folder.fold(now);
  }
}
