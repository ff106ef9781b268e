package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Decision;
import io.tidemark.completeness.decide.Findings;
import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.decide.Look;
import io.tidemark.completeness.decide.Reckoning;
import io.tidemark.completeness.decide.TimeSpans;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.table.HiveDirectories;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Runs {@link Reckoning#decide} with the catalog's answers that it requests. Not thread-safe. */
final class Deciding {
  /** The time between two lookups of the Hive partitions of open holds in the catalog. */
  private static final long HOLDS_LOOK_MS = 60_000;

  private final ReckonerServices services;
  private final Optional<CatalogLook> catalog;
  private final EmptyDirectories directories;

  /** How tables were divided by time when they were last read, by their recorded layout. */
  private final Map<TableName, Optional<TimePartitioned>> recorded = new HashMap<>();

  private long holdsAtMs;

  /** The number of holds that were looked at, until all were. */
  private long holdsLooked;

  Deciding(ReckonerServices services) {
    this.services = services;
    this.catalog = services.catalog();
    this.directories = new EmptyDirectories(services.storage());
  }

  /** Decides the ledger's next entry. The findings receive the answers of the catalog. */
  Decision decide(Ledger ledger, ReckonedTables.Now tables, Findings read, Instant now)
      throws IOException {
    // Without its layout, no total of a table would ever be complete: its entries wait.
    Set<TableName> unreadable = new HashSet<>(tables.awaited());
    TimeSpans spans = spans(ledger, read, tables.byName(), unreadable);
    Findings findings = read.before(unreadable);
    Look look = findings.look();
    lookAtHolds(ledger, tables.byName(), look);
    Decision decision = Reckoning.decide(ledger, tables.settings(), findings, spans, now);
    look.unregistered.putAll(unregistered(ledger, decision, tables, findings.topics().gone()));
    if (!look.unregistered.isEmpty()) {
      decision = Reckoning.decide(ledger, tables.settings(), findings, spans, now);
    }
    if (!decision.unlooked().isEmpty() && catalog.isPresent()) {
      Set<HivePartitionId> all = hivePartitions(ledger, tables, decision.unlooked());
      catalog.get().look(all, false, tables.byName(), look);
      decision = Reckoning.decide(ledger, tables.settings(), findings, spans, now);
    }
    while (!decision.toLook().isEmpty()) {
      look(ledger, decision, tables.byName(), findings);
      decision = Reckoning.decide(ledger, tables.settings(), findings, spans, now);
    }
    return decision;
  }

  private void lookAtHolds(Ledger ledger, Map<TableName, ReckonedTable> tables, Look look)
      throws IOException {
    long nowMs = services.monotonic().millis();
    if (catalog.isEmpty() || nowMs < holdsAtMs) {
      return;
    }
    Set<HivePartitionId> held =
        ledger.state().holds().stream()
            .filter(Hold::open)
            .flatMap(hold -> hold.hivePartition().stream())
            .filter(id -> tables.containsKey(id.table()))
            .skip(holdsLooked)
            .limit(LedgerEntry.Reckoning.COMPLETIONS_MOST)
            .collect(Collectors.toUnmodifiableSet());
    holdsLooked =
        held.size() < LedgerEntry.Reckoning.COMPLETIONS_MOST ? 0 : holdsLooked + held.size();
    holdsAtMs = nowMs + HOLDS_LOOK_MS;
    if (!held.isEmpty()) {
      catalog.get().look(held, true, tables, look);
    }
  }

  /**
   * Returns the tables with files that landed with {@code hive.integration=false} and are not
   * registered yet. They cannot be complete while a catalog is configured.
   */
  private Map<TableName, String> unregistered(
      Ledger ledger, Decision decision, ReckonedTables.Now tables, Set<String> gone)
      throws IOException {
    if (catalog.isEmpty()) {
      return Map.of();
    }
    Map<ReckonedTable, List<StagingDirectories>> covered = new HashMap<>();
    for (ReckonedTable table : tables.byName().values()) {
      if (isOfAny(decision.covered().keySet(), table, ledger, tables)) {
        // No task registers the files of a table that is no longer configured for its topics.
        List<String> there =
            configured(table, tables).stream().filter(topic -> !gone.contains(topic)).toList();
        covered.put(table, stagingDirectories(there, ledger));
      }
    }
    return catalog.get().unregistered(covered);
  }

  private static List<String> configured(ReckonedTable table, ReckonedTables.Now tables) {
    return tables.settings().tables().getOrDefault(table.table().name().toString(), List.of());
  }

  /** Returns whether a table has, or had, one of these topics. */
  private static boolean isOfAny(
      Set<String> topics, ReckonedTable table, Ledger ledger, ReckonedTables.Now tables) {
    TableState known = ledger.state().tables().get(table.table().name().toString());
    return !Collections.disjoint(topics, configured(table, tables))
        || (known != null && !Collections.disjoint(topics, known.topics()));
  }

  private Set<HivePartitionId> hivePartitions(
      Ledger ledger, ReckonedTables.Now tables, Set<String> topics) throws IOException {
    Set<HivePartitionId> all = new HashSet<>();
    for (ReckonedTable each : tables.byName().values()) {
      if (isOfAny(topics, each, ledger, tables)) {
        Table table = each.table();
        new HiveDirectories(services.storage(), table.layout())
            .partitions(table.partitioning().columns())
            .forEach(partition -> all.add(new HivePartitionId(table.name(), partition)));
      }
    }
    return all;
  }

  /** Returns the staging directories of the topics' topic-partitions in the newest snapshot. */
  private List<StagingDirectories> stagingDirectories(List<String> topics, Ledger ledger) {
    List<StagingDirectories> directories = new ArrayList<>();
    for (String topic : topics) {
      for (int each = 0; each < ledger.state().topic(topic).topicPartitions(); each++) {
        directories.add(
            new StagingDirectories(
                services.storage(), services.folders().logId(), new TopicPartition(topic, each)));
      }
    }
    return directories;
  }

  private void look(
      Ledger ledger, Decision decision, Map<TableName, ReckonedTable> tables, Findings findings)
      throws IOException {
    Look look = findings.look();
    look.closed.putAll(directories.make(decision.toLook(), tables));
    Set<HivePartitionId> ids = new HashSet<>(decision.toLook());
    ids.removeIf(id -> look.closed.containsKey(id.table()));
    Set<HivePartitionId> empty = new HashSet<>(ids);
    empty.removeAll(ledger.totals().keySet());
    decision.sums().forEach(sum -> empty.remove(sum.id()));
    if (catalog.isPresent()) {
      Set<HivePartitionId> again = new HashSet<>(ids);
      again.removeIf(id -> findings.logs().stream().noneMatch(read -> read.unseen().contains(id)));
      ids.removeAll(again);
      catalog.get().look(again, true, tables, look);
      catalog.get().look(ids, false, tables, look);
    } else {
      look.seen.addAll(ids); // Without a catalog, readers see every file.
    }
    look.filled.addAll(directories.filled(empty, tables));
  }

  /**
   * Returns the spans of tables. The recorded layout is read for tables with new records or with
   * empty Hive partitions; the configuration is used for all others.
   *
   * @param unreadable receives the tables whose layout cannot be read
   */
  private TimeSpans spans(
      Ledger ledger,
      Findings findings,
      Map<TableName, ReckonedTable> tables,
      Set<TableName> unreadable)
      throws IOException {
    Set<TableName> needed = new HashSet<>();
    findings.logs().stream()
        .flatMap(read -> read.entries().stream())
        .flatMap(read -> read.entry().asBatch().stream())
        .flatMap(batch -> batch.sums().stream())
        .forEach(sum -> needed.add(sum.table()));
    for (Map.Entry<String, TableState> table : ledger.state().tables().entrySet()) {
      if (table.getValue().emptiesThrough().isPresent()) {
        needed.add(TableName.parse(table.getKey()));
      }
    }
    Map<TableName, TimePartitioned> byTime = new HashMap<>();
    Set<TableName> withEmpties = new HashSet<>();
    for (ReckonedTable each : tables.values()) {
      Table table = each.table();
      try {
        (needed.contains(table.name()) ? recorded(table) : table.partitioning().time())
            .ifPresent(divided -> byTime.put(table.name(), divided));
      } catch (IOException | CorruptLogException | IllegalArgumentException | DateTimeException e) {
        unreadable.add(table.name());
      }
      if (each.withEmpties()) {
        withEmpties.add(table.name());
      }
    }
    return new TimeSpans(byTime, withEmpties);
  }

  /**
   * Returns how a table is divided by time, according to its recorded layout; according to the
   * configuration if no record has landed in the table yet. Tasks reject a configuration with
   * another layout. With its times, Hive partitions would count as complete too early or too late.
   */
  private Optional<TimePartitioned> recorded(Table table) throws IOException, CorruptLogException {
    Optional<TimePartitioned> known = recorded.get(table.name());
    if (known == null) {
      Optional<RecordedLayout> layout = new LayoutFile(services.storage(), table.layout()).read();
      known = layout.isPresent() ? layout.get().byTime() : table.partitioning().time();
      recorded.put(table.name(), known);
    }
    return known;
  }
}
