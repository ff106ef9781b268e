package io.tidemark.completeness.show;

import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts the tables of a ledger. Idempotent: it continues after a crash. Not thread-safe. Only
 * the reckoner that owns the ledger may use it.
 *
 * <ul>
 *   <li>Only the last hour's files of watermarks are kept, because each file has all rows.
 *   <li>When a day of batches or a month of Hive partitions is over, its files are merged into one
 *       in a separate directory, and the Hive partition is relocated to it. The single files are
 *       kept for two more days, for queries in progress.
 *   <li>Days of batches that are older than their retention are deleted.
 * </ul>
 *
 * <pre>
 * /ledger/hive/batches/log_id=sales/day=2026-11-21/000…41.avro, 000…42.avro, …
 * /ledger/hive/compacted/batches/log_id=sales/day=2026-11-21/000…97/000…97.avro     all up to 97
 * </pre>
 *
 * <p>Entries are shown in the order of their numbers. So a file that is added after a merge has a
 * larger number than the merged file, and becomes part of the next one.
 */
record LedgerCompaction(LedgerTables tables, Duration batchesKept) {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerCompaction.class);
  private static final Duration WATERMARKS_KEPT = Duration.ofHours(1);
  private static final Duration SINGLE_FILES_KEPT = Duration.ofDays(2);

  // An entry that was written before midnight may be shown after midnight.
  private static final Duration SHOWN_WITHIN = Duration.ofHours(1);

  /** Without a catalog, this removes files of watermarks and old batches. */
  void compact(Instant now) throws IOException, CatalogConflictException {
    removeOldWatermarks();
    Optional<TableCatalog> catalog = tables.catalog;
    removeOldBatches(catalog, now); // First: it needs no content of files, which may be lost.
    List<IOException> unread = new ArrayList<>();
    if (catalog.isPresent()) {
      mergeIfOver(catalog.get(), LedgerTable.PARTITIONS, "month=", now, unread);
      mergeIfOver(catalog.get(), LedgerTable.BATCHES, "day=", now, unread);
    }
    if (!unread.isEmpty()) {
      throw unread.get(0);
    }
  }

  private void removeOldWatermarks() throws IOException {
    StoragePath directory = LedgerTable.WATERMARKS.directory(tables.folders);
    List<StoredFile> listed = tables.storage.list(directory);
    List<StoredFile> files =
        listed.stream().filter(file -> RowFile.ledgerEntry(file).isPresent()).toList();
    if (files.isEmpty()) {
      return;
    }
    new PutIfAbsent(tables.storage, directory)
        .removeLeftovers(listed, files.stream().map(file -> file.path().name()).toList());
    StoredFile newest = files.get(files.size() - 1);
    for (StoredFile file : files) {
      if (file.modifiedMs() < newest.modifiedMs() - WATERMARKS_KEPT.toMillis()) {
        tables.storage.delete(file.path());
      }
    }
  }

  /** Returns the days or months with a directory. */
  private List<String> times(StoragePath root, String prefix) throws IOException {
    return tables.storage.list(root.child(LedgerTable.ofLog(tables.folders))).stream()
        .filter(StoredFile::directory)
        .map(directory -> directory.path().name())
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .toList();
  }

  /** Merges the days or months that are over. One with an {@code unread} file delays no other. */
  private void mergeIfOver(
      TableCatalog hive, LedgerTable table, String prefix, Instant now, List<IOException> unread)
      throws IOException, CatalogConflictException {
    for (String time : times(table.root(tables.folders.root()), prefix)) {
      if (end(time).filter(end -> !now.isBefore(end.plus(SHOWN_WITHIN))).isPresent()) {
        try {
          merge(hive, table, table.partition(tables.folders.logId(), time), now);
        } catch (RowFile.UnreadableException e) {
          unread.add(e);
        }
      }
    }
  }

  /** Returns the end of a day or month; empty for a directory of another name. */
  private static Optional<Instant> end(String time) {
    try {
      LocalDate next =
          time.length() > 7
              ? LocalDate.parse(time).plusDays(1)
              : YearMonth.parse(time).plusMonths(1).atDay(1);
      return Optional.of(next.atStartOfDay().toInstant(ZoneOffset.UTC));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private void merge(TableCatalog hive, LedgerTable table, HivePartition partition, Instant now)
      throws IOException, CatalogConflictException {
    StoragePath singles = table.root(tables.folders.root()).child(partition.path());
    StoragePath merged = table.mergedRoot(tables.folders.root()).child(partition.path());
    NavigableSet<Long> numbers = new TreeSet<>();
    for (StoredFile file : tables.storage.list(singles)) {
      RowFile.ledgerEntry(file).ifPresent(numbers::add);
    }
    Optional<StoredFile> before = RowFile.newestMerged(tables.storage, merged);
    SortedSet<Long> fresh =
        numbers.tailSet(
            before.map(file -> RowFile.ledgerEntry(file).orElseThrow()).orElse(0L), false);
    if (!fresh.isEmpty()) {
      String name = RowFile.name(fresh.last());
      StoragePath directory = merged.child(name.replace(".avro", ""));
      List<StoragePath> parts = new ArrayList<>();
      before.ifPresent(earlier -> parts.add(earlier.path()));
      fresh.forEach(number -> parts.add(singles.child(RowFile.name(number))));
      PutIfAbsent files = new PutIfAbsent(tables.storage, directory);
      files.removeLeftovers(tables.storage.list(directory), List.of(name)); // of earlier attempts
      files.put(
          name,
          out -> {
            try (DataFileWriter<GenericRecord> writer = RowFile.writer(table.schema(), out)) {
              for (StoragePath part : parts) {
                copy(part, table, writer);
              }
            }
          });
      LOG.info("{}: merged {} files into {}", singles, fresh.size(), directory.child(name));
    }
    Optional<StoredFile> newest = RowFile.newestMerged(tables.storage, merged);
    if (newest.isEmpty()) {
      return;
    }
    relocate(hive, table, partition, newest.get().path().parent());
    if (newest.get().modifiedMs() + SINGLE_FILES_KEPT.toMillis() <= now.toEpochMilli()) {
      removeReplaced(singles, merged, newest.get());
    }
  }

  private void copy(StoragePath file, LedgerTable table, DataFileWriter<GenericRecord> writer)
      throws IOException {
    var rows = new GenericDatumReader<GenericRecord>(table.schema(), table.schema());
    try {
      String cure = ", or remove it; without it its rows are missing";
      RowFile.read(tables.storage, file, rows, cure, writer::append);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " was removed while it was merged. The merge is retried.", e);
    }
  }

  private void relocate(
      TableCatalog hive, LedgerTable table, HivePartition partition, StoragePath directory)
      throws IOException, CatalogConflictException {
    TableDefinition definition = tables.definition(table);
    // Register it again: it is missing if the catalog was unavailable, or the table was dropped.
    hive.registerTable(definition);
    int elsewhere = hive.addPartitions(definition, List.of(partition)).size();
    LOG.debug("{}: {} located at an earlier merged file", partition, elsewhere);
    hive.relocatePartition(definition, partition, tables.storage.location() + directory);
  }

  /** Removes files that a merged file has replaced, once that file is two days old. */
  private void removeReplaced(StoragePath singles, StoragePath merged, StoredFile newest)
      throws IOException {
    for (StoredFile directory : tables.storage.list(merged)) {
      if (!directory.path().equals(newest.path().parent())
          && tables.storage.deleteTree(directory.path())) {
        LOG.info("removed {}, because {} has its rows", directory.path(), newest.path());
      }
    }
    if (tables.storage.deleteTree(singles)) {
      LOG.info("removed {}, because {} has its rows", singles, newest.path());
    }
  }

  /**
   * Removes the days of batches whose retention is over. Without a catalog, their directories stay:
   * Hive may still have the Hive partitions, which are dropped once Hive integration is on again.
   */
  private void removeOldBatches(Optional<TableCatalog> catalog, Instant now)
      throws IOException, CatalogConflictException {
    List<StoragePath> roots =
        List.of(
            LedgerTable.BATCHES.root(tables.folders.root()),
            LedgerTable.BATCHES.mergedRoot(tables.folders.root()));
    Set<HivePartition> old = new LinkedHashSet<>();
    for (StoragePath root : roots) {
      for (String day : times(root, "day=")) {
        if (end(day).filter(end -> end.plus(batchesKept).isBefore(now)).isPresent()) {
          old.add(LedgerTable.BATCHES.partition(tables.folders.logId(), day));
        }
      }
    }
    for (HivePartition day : old) {
      if (catalog.isPresent()) {
        catalog.get().dropPartitions(tables.definition(LedgerTable.BATCHES), List.of(day));
      }
      for (StoragePath root : roots) {
        StoragePath directory = root.child(day.path());
        if (catalog.isEmpty()) {
          removeFiles(directory);
        } else if (tables.storage.deleteTree(directory)) {
          LOG.info("removed {}, which is older than {}", directory, batchesKept);
        }
      }
    }
  }

  private void removeFiles(StoragePath directory) throws IOException {
    for (StoredFile existing : tables.storage.list(directory)) {
      if (existing.directory()) {
        removeFiles(existing.path());
      } else if (tables.storage.delete(existing.path())) {
        LOG.info("removed {}, which is older than {}", existing.path(), batchesKept);
      }
    }
  }
}
