package io.tidemark.completeness.reckon;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.PrintableText;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the entries of the ledger in their order. If the store refuses a manifest, only the
 * manifest's table waits. Each minute it is tried whether the store accepts it. If the store does
 * not return an entry of a commit log, only rows of batches and events wait. Not thread-safe.
 */
final class OrderedShow {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedShow.class);

  private static final long TRIED_AFTER_MS = 60_000;
  private static final long TRIED_AFTER_MOST_MS = 3_600_000;

  private static final int WAITING_MOST = 1_000; // All are in memory.

  private final ReckonerServices services;
  private final CommitLogs logs;

  /** The number of an entry; entries up to this number may have been shown in part. */
  private long afresh;

  /** The entries up to this number are shown, possibly without rows of batches and events. */
  private long shown;

  private long readAtMs;
  private Optional<String> problem = Optional.empty();
  private final Set<String> accepting = new TreeSet<>();

  private long tryAtMs;

  /**
   * The pause before the next check. It grows each time the store accepts the test file and then
   * refuses the manifest, because each such attempt adds an entry.
   */
  private long pauseMs = TRIED_AFTER_MS;

  OrderedShow(ReckonerServices services, CommitLogs logs) {
    this.services = services;
    this.logs = logs;
  }

  /** Called after a claim by entry {@code number}: the entries before may be shown in part. */
  void claimed(long number) {
    afresh = number;
  }

  Optional<String> problem() {
    return problem;
  }

  /** Shows one of the entries that are possibly not shown yet, which are passed in their order. */
  OwnedLedger show(
      OwnedLedger owned, OwnedLedger.Unshown next, Map<TableName, ReckonedTable> tables)
      throws IOException, CatalogConflictException {
    long number = next.entry().number();
    Optional<List<SettledEntry>> taken =
        number == owned.unshown().get(0).entry().number() ? taken(owned) : Optional.empty();
    if (taken.isEmpty() && number <= shown) {
      return owned;
    }
    Map<TableName, Table> landed = new HashMap<>();
    tables.forEach((name, table) -> landed.put(name, table.table()));
    Map<HivePartitionId, String> refused =
        services.show().show(next.before().state(), next.entry(), taken, landed, number <= afresh);
    refused.forEach(
        (id, problem) -> {
          if (accepting.remove(id.table().toString())) {
            pauseMs = Math.min(TRIED_AFTER_MOST_MS, 2 * pauseMs);
            tryAtMs = services.monotonic().millis() + pauseMs;
          }
          LOG.warn(
              "{}: the store refuses the manifest of this Hive partition, so nothing more of the table becomes complete: {} The manifest is retried after a minute, later after up to an hour.",
              id,
              problem);
        });
    shown = Math.max(shown, number);
    return owned.shown(taken.isPresent() ? number : owned.ledger().state().shownThrough(), refused);
  }

  /** Returns what the first of these entries took; empty if the store does not return it now. */
  private Optional<List<SettledEntry>> taken(OwnedLedger owned) {
    long nowMs = services.monotonic().millis();
    if (nowMs < readAtMs) {
      return Optional.empty();
    }
    try {
      Optional<List<SettledEntry>> taken = Optional.of(logs.taken(owned.unshown().get(0)));
      problem = Optional.empty();
      return taken;
    } catch (IOException e) {
      String why =
          "%s: rows of batches and events wait, because the store does not return a file: %s. If the file is lost, restore it from a copy. Or remove it: rows and events up to its entry are then missing, as they are after 1,000 entries of the ledger"
              .formatted(services.folders().ledger(), PrintableText.messageOf(e));
      if (problem.isEmpty()) {
        LOG.warn(why);
      }
      problem = Optional.of(why);
      readAtMs = nowMs + TRIED_AFTER_MS;
      return owned.unshown().size() > WAITING_MOST ? Optional.of(List.of()) : Optional.empty();
    }
  }

  /** Returns the tables whose refused manifests the store accepts now. */
  Set<String> accepting(LedgerState state, Map<TableName, ReckonedTable> tables)
      throws IOException {
    Map<String, TableState.Refused> refusing = new TreeMap<>();
    state
        .tables()
        .forEach((name, table) -> table.refused().ifPresent(each -> refusing.put(name, each)));
    accepting.retainAll(refusing.keySet());
    if (refusing.isEmpty()) {
      pauseMs = TRIED_AFTER_MS;
    } else if (services.monotonic().millis() >= tryAtMs) {
      tryAtMs = services.monotonic().millis() + pauseMs;
      for (Map.Entry<String, TableState.Refused> each : refusing.entrySet()) {
        ReckonedTable table = tables.get(TableName.parse(each.getKey()));
        HivePartition first = HivePartition.parse(each.getValue().hivePartitions().get(0));
        // Manifests of a table without a record are not put.
        if (table == null || services.show().accepts(table.table(), first)) {
          accepting.add(each.getKey());
        }
      }
    }
    return Set.copyOf(accepting);
  }
}
