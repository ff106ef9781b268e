package io.tidemark.completeness.show;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.PrintableText;
import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.generic.GenericRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the entries of one ledger as rows in Hive. For each entry, a file is written in each table
 * for which the entry has rows. The file's name is the entry's number. It is put only if absent and
 * never changes, so all steps can be repeated. Entries are shown in order. Not thread-safe.
 */
public final class LedgerTables {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerTables.class);

  final Storage storage;
  final Optional<TableCatalog> catalog;
  final LedgerDirectories folders;
  private final String database;
  private final Set<LedgerTable> registered = new HashSet<>();

  /**
   * Without a {@code catalog}, Hive does not have the tables, and only the watermarks are written,
   * from which {@link #highestShown} reads the shown entries.
   */
  public LedgerTables(
      Storage storage, Optional<TableCatalog> catalog, String database, LedgerDirectories folders) {
    this.storage = storage;
    this.catalog = catalog;
    this.database = database;
    this.folders = folders;
  }

  TableDefinition definition(LedgerTable table) {
    return new TableDefinition(
        new TableName(database, "tidemark_" + table.directory()),
        storage.location() + table.root(folders.root()),
        table.schema(),
        table.partitionColumns(),
        Map.of("tidemark.schema.version", "1"));
  }

  /** Shows an entry, as {@link LedgerShow#show} does. Idempotent. */
  public void show(NumberedEntry<LedgerEntry> entry, List<SettledEntry> accounted)
      throws IOException, CatalogConflictException {
    Optional<LedgerEntry.Reckoning> reckoning = entry.entry().asReckoning();
    String logId = folders.logId();
    long number = entry.number();
    LedgerRows rows = new LedgerRows(number);
    Instant writtenAt = entry.entry().writtenAt();
    String day = writtenAt.toString().substring(0, "2026-11-21".length());
    if (catalog.isPresent()) {
      put(
          LedgerTable.BATCHES,
          LedgerTable.BATCHES.partition(logId, day),
          number,
          LedgerRows.batches(accounted, writtenAt));
    }
    if (catalog.isPresent() && reckoning.isPresent()) {
      put(
          LedgerTable.PARTITIONS,
          LedgerTable.PARTITIONS.partition(logId, day.substring(0, "2026-11".length())),
          number,
          rows.partitions(reckoning.get()));
      addComplete(catalog.get(), reckoning.get().completions());
    }
    if (reckoning.isPresent() || entry.entry() instanceof LedgerEntry.Acknowledge) {
      put(
          LedgerTable.WATERMARKS,
          LedgerTable.WATERMARKS.partition(logId),
          number,
          rows.watermarks(entry.entry().state()));
    }
  }

  /**
   * Returns the largest number of a shown entry; 0 if no entry was shown. Only entries with rows
   * count, and only if their rows were not merged.
   */
  public long highestShown() throws IOException {
    long highest = 0;
    for (LedgerTable table :
        List.of(LedgerTable.WATERMARKS, LedgerTable.PARTITIONS, LedgerTable.BATCHES)) {
      // The newest day or month is the last one in the order of names.
      List<StoredFile> files = storage.list(table.directory(folders));
      if (!table.equals(LedgerTable.WATERMARKS) && !files.isEmpty()) {
        files = storage.list(files.get(files.size() - 1).path());
      }
      for (StoredFile file : files) {
        highest = Math.max(highest, RowFile.ledgerEntry(file).orElse(0));
      }
    }
    return highest;
  }

  private void put(
      LedgerTable table, HivePartition partition, long ledgerEntry, List<GenericRecord> rows)
      throws IOException, CatalogConflictException {
    if (rows.isEmpty()) {
      return;
    }
    StoragePath directory = table.root(folders.root()).child(partition.path());
    new PutIfAbsent(storage, directory)
        .put(RowFile.name(ledgerEntry), RowFile.bytes(table.schema(), rows));
    if (catalog.isPresent()) {
      add(catalog.get(), table, List.of(partition));
    }
  }

  private void addComplete(TableCatalog hive, List<Completion> completions)
      throws IOException, CatalogConflictException {
    if (completions.isEmpty()) {
      return;
    }
    List<HivePartition> complete = new ArrayList<>();
    for (Completion completion : completions) {
      Optional<HivePartition> partition = complete(completion.total());
      if (partition.isPresent()) {
        // Create the directory first: the Metastore may lack the permission.
        storage.makeDirectories(
            LedgerTable.COMPLETE.root(folders.root()).child(partition.get().path()));
        complete.add(partition.get());
      }
    }
    add(hive, LedgerTable.COMPLETE, complete)
        .forEach(
            each -> LOG.warn("{}. Until then, sensors do not find this Hive partition.", each));
  }

  private static Optional<HivePartition> complete(HivePartitionTotal total) {
    try {
      return Optional.of(
          LedgerTable.COMPLETE.partition(total.table().toString(), total.hivePartition().path()));
    } catch (IllegalArgumentException e) {
      LOG.warn(
          "{} is complete, but cannot be added to tidemark_complete: {}. Use _SUCCESS or tidemark_watermarks instead.",
          total.id(),
          PrintableText.messageOf(e));
      return Optional.empty();
    }
  }

  private List<UnseenPartition> add(
      TableCatalog hive, LedgerTable table, Collection<HivePartition> partitions)
      throws IOException, CatalogConflictException {
    TableDefinition definition = definition(table);
    try {
      if (!registered.contains(table)) {
        hive.registerTable(definition);
        registered.add(table);
      }
      // Repeat this each time, because a user may have dropped the Hive partition or the table.
      return hive.addPartitions(definition, partitions);
    } catch (CatalogConflictException e) {
      // A user may have dropped the table. The next attempt creates it again.
      registered.remove(table);
      throw e;
    }
  }
}
