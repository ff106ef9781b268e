package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Manifest;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Shows entries of the ledger to other programs, as manifests, rows of Hive tables and events. An
 * entry may be shown repeatedly. Not thread-safe.
 *
 * @param lateness the minimum time from the end of a Hive partition to its snapshot ({@code
 *     completeness.lateness.ms})
 * @param rules the kinds of holds that prevent completeness, by topic; other kinds are allowed
 * @param frameworkMayDrop whether records may be dropped before they reach the task, without being
 *     counted. This is so with transforms and {@code errors.tolerance=all}
 * @param tables writes the ledger's tables, which exist in Hive only if there is a catalog
 * @param events receives the events; empty if none are configured
 */
public record LedgerShow(
    Duration lateness,
    TopicRules rules,
    boolean frameworkMayDrop,
    LedgerTables tables,
    Duration batchesKept,
    Optional<Events> events) {

  /** The destination of events; {@code added} is called after some were added to the outbox. */
  public record Events(EventOutbox outbox, Runnable added) {}

  /**
   * Shows an entry. Entries are passed in the order of their numbers.
   *
   * @param accounted the read entries of commit logs; if empty, rows of batches and events wait
   * @param again whether an earlier reckoner may have begun to show the entry
   * @return manifests that the store refuses, by Hive partition, with the store's message and the
   *     cure. The rest of the entry was shown
   * @throws IOException the store or the catalog is unavailable: retry
   * @throws CatalogConflictException the catalog has an object of another owner
   */
  public Map<HivePartitionId, String> show(
      LedgerState before,
      NumberedEntry<LedgerEntry> entry,
      Optional<List<SettledEntry>> accounted,
      Map<TableName, Table> landed,
      boolean again)
      throws IOException, CatalogConflictException {
    Optional<LedgerEntry.Reckoning> reckoning = entry.entry().asReckoning();
    Map<HivePartitionId, String> refused = new HashMap<>();
    if (reckoning.isPresent()) {
      for (Completion completion : reckoning.get().completions()) {
        Table table = landed.get(completion.total().table());
        // Without a record of the table, the directory of its files is unknown.
        if (table != null && table.options().successFiles()) {
          Manifest manifest = manifest(entry.number(), before, reckoning.get(), completion);
          try {
            new SuccessFiles(tables.storage).put(table.layout(), manifest, again);
          } catch (StoreRefusedException e) {
            // A failure in the directory of one table must not delay other tables.
            refused.put(completion.total().id(), String.valueOf(e.getMessage()));
          }
        }
      }
    }
    tables.show(entry, accounted.orElse(List.of()));
    // Events come last, so that their readers find the files and rows.
    if (events.isPresent()
        && accounted.isPresent()
        && events.get().outbox().put(before, entry, accounted.get())) {
      events.get().added().run();
    }
    return refused;
  }

  /** Returns whether the store accepts the manifest of a Hive partition. */
  public boolean accepts(Table table, HivePartition hivePartition) throws IOException {
    try {
      if (table.options().successFiles()) {
        new SuccessFiles(tables.storage).tryToWrite(table.layout(), hivePartition);
      }
      return true;
    } catch (StoreRefusedException e) {
      return false;
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
            .filter(hold -> !rules.prevents(hold))
            .toList();
    return new Manifest(
        tables.folders.logId(),
        completion,
        number,
        lateness.toMillis(),
        frameworkMayDrop,
        counts,
        passed);
  }

  /** Compacts the ledger's tables. Call this method regularly. It fails as {@link #show} does. */
  public void compact(Instant now) throws IOException, CatalogConflictException {
    new LedgerCompaction(tables, batchesKept).compact(now);
  }
}
