package io.tidemark.completeness.show;

import io.tidemark.store.PutIfAbsent;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.StorageFormat;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.avro.file.DataFileWriter;
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
 *       (a <i>fold</i>) in a separate directory, and the Hive partition is relocated to it. The
 *       single files are kept for two more days, for queries in progress.
 *   <li>Days of batches that are older than their retention are deleted.
 * </ul>
 *
 * <pre>
 * /ledger/hive/batches/log_id=sales/day=2026-11-21/000…41.avro, 000…42.avro, …
 * /ledger/hive/folded/batches/log_id=sales/day=2026-11-21/000…97/000…97.avro     all up to 97
 * </pre>
 *
 * <p>Entries are shown in the order of their numbers. So a file that is added after a fold has a
 * larger number than the fold, and becomes part of the next fold.
 */
public final class LedgerFolder {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerFolder.class);

  private static final Duration WATERMARKS_KEPT = Duration.ofHours(1);
  private static final Duration SINGLE_FILES_KEPT = Duration.ofDays(2);

  // An entry that was written before midnight may be shown after midnight.
  private static final Duration SHOWN_WITHIN = Duration.ofHours(1);

  private final Storage storage;
  private final Optional<TableCatalog> catalog;
  private final StorageFormat format;
  private final String database;
  private final StoragePath ledgerDirectory;
  private final String logId;
  private final Duration batchesKept;

  /**
   * Creates the compaction of a ledger's tables. The parameters are those of {@link LedgerTables}.
   *
   * @param catalog empty without Hive integration. The files of watermarks and of old batches are
   *     then still removed
   * @param batchesKept the retention of the rows of batches
   */
  public LedgerFolder(
      Storage storage,
      Optional<TableCatalog> catalog,
      StorageFormat format,
      String database,
      StoragePath ledgerDirectory,
      String logId,
      Duration batchesKept) {
    this.storage = storage;
    this.catalog = catalog;
    this.format = format;
    this.database = database;
    this.ledgerDirectory = ledgerDirectory;
    this.logId = logId;
    this.batchesKept = batchesKept;
  }

  /**
   * Compacts all files that are due.
   *
   * @throws IOException if the store is unavailable; the call can be retried
   * @throws CatalogUnavailableException if the catalog is unavailable; the call can be retried
   * @throws CatalogConflictException if a table is missing, or does not belong to the connector
   */
  public void fold(Instant now)
      throws IOException, CatalogUnavailableException, CatalogConflictException {
    foldWatermarks();
    if (catalog.isPresent()) {
      foldTimes(catalog.get(), now);
    } else {
      emptyOldBatches(now);
    }
  }

  private void foldTimes(TableCatalog hive, Instant now)
      throws IOException, CatalogUnavailableException, CatalogConflictException {
    for (String month : times(LedgerTable.PARTITIONS.root(ledgerDirectory), "month=")) {
      foldIfOver(hive, LedgerTable.PARTITIONS, month, now);
    }
    for (String day : times(LedgerTable.BATCHES.root(ledgerDirectory), "day=")) {
      foldIfOver(hive, LedgerTable.BATCHES, day, now);
    }
    removeOldBatches(hive, now);
  }

  private void foldWatermarks() throws IOException {
    StoragePath directory =
        LedgerTable.WATERMARKS
            .root(ledgerDirectory)
            .child(LedgerTable.WATERMARKS.partition(logId).path());
    List<StoredFile> listed = storage.list(directory);
    List<StoredFile> files = listed.stream().filter(LedgerFolder::hasRows).toList();
    if (files.isEmpty()) {
      return;
    }
    new PutIfAbsent(storage, directory)
        .removeLeftovers(listed, files.stream().map(file -> file.path().name()).toList());
    StoredFile newest = files.get(files.size() - 1);
    int removed = 0;
    for (StoredFile file : files) {
      if (!file.equals(newest)
          && file.modifiedMs() < newest.modifiedMs() - WATERMARKS_KEPT.toMillis()
          && storage.delete(file.path())) {
        removed++;
      }
    }
    LOG.debug("{}: removed {} files", directory, removed);
  }

  private static boolean hasRows(StoredFile file) {
    return !file.directory() && RowFile.ledgerEntry(file.path().name()).isPresent();
  }

  /** Returns the days or months with a directory. */
  private List<String> times(StoragePath root, String prefix) throws IOException {
    return storage.list(root.child(LedgerTable.WATERMARKS.partition(logId).path())).stream()
        .filter(StoredFile::directory)
        .map(directory -> directory.path().name())
        .filter(name -> name.startsWith(prefix))
        .map(name -> name.substring(prefix.length()))
        .toList();
  }

  private void foldIfOver(TableCatalog hive, LedgerTable table, String time, Instant now)
      throws IOException, CatalogUnavailableException, CatalogConflictException {
    Optional<Instant> end = end(time);
    if (end.isPresent() && !now.isBefore(end.get().plus(SHOWN_WITHIN))) {
      fold(hive, table, table.partition(logId, time), now);
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

  private void fold(TableCatalog hive, LedgerTable table, HivePartition partition, Instant now)
      throws IOException, CatalogUnavailableException, CatalogConflictException {
    StoragePath singles = table.root(ledgerDirectory).child(partition.path());
    StoragePath folds = table.foldedRoot(ledgerDirectory).child(partition.path());
    SortedSet<Long> numbers = new TreeSet<>();
    for (StoredFile file : storage.list(singles)) {
      if (hasRows(file)) {
        numbers.add(RowFile.ledgerEntry(file.path().name()).orElseThrow());
      }
    }
    Optional<StoredFile> before = newestFold(folds);
    long upTo = before.map(LedgerFolder::number).orElse(0L);
    SortedSet<Long> fresh = numbers.tailSet(upTo + 1);
    if (!fresh.isEmpty()) {
      String name = RowFile.name(fresh.last());
      StoragePath directory = folds.child(directoryName(fresh.last()));
      Optional<StoragePath> earlier = before.map(StoredFile::path);
      PutIfAbsent files = new PutIfAbsent(storage, directory);
      files.put(
          name,
          out -> {
            try (DataFileWriter<GenericRecord> writer = RowFile.writer(table.schema(), out)) {
              if (earlier.isPresent()) {
                copy(earlier.get(), table, writer);
              }
              for (long number : fresh) {
                copy(singles.child(RowFile.name(number)), table, writer);
              }
            }
          });
      files.removeLeftovers(storage.list(directory), List.of(name));
      LOG.info("{}: merged {} files into {}", singles, fresh.size(), directory.child(name));
    }
    Optional<StoredFile> newest = newestFold(folds);
    if (newest.isEmpty()) {
      return;
    }
    relocate(hive, table, partition, newest.get().path().parent());
    if (newest.get().modifiedMs() + SINGLE_FILES_KEPT.toMillis() <= now.toEpochMilli()) {
      removeFolded(singles, folds, newest.get());
    }
  }

  private void copy(StoragePath file, LedgerTable table, DataFileWriter<GenericRecord> writer)
      throws IOException {
    try (InputStream in = storage.open(file)) {
      RowFile.copy(in, table.schema(), writer);
    } catch (NoSuchFileException e) {
      throw new IOException(file + " was removed while it was merged. The merge is retried.", e);
    }
  }

  /** Returns the newest fold: the file with the rows of all entries up to its number. */
  private Optional<StoredFile> newestFold(StoragePath folds) throws IOException {
    List<StoredFile> directories = storage.list(folds);
    for (int i = directories.size() - 1; i >= 0; i--) {
      StoragePath directory = directories.get(i).path();
      Optional<StoredFile> file = storage.find(directory.child(directory.name() + ".avro"));
      if (file.isPresent() && hasRows(file.get())) {
        return file;
      }
    }
    return Optional.empty();
  }

  private static long number(StoredFile fold) {
    return RowFile.ledgerEntry(fold.path().name()).orElseThrow();
  }

  private static String directoryName(long ledgerEntry) {
    return String.format(Locale.ROOT, "%020d", ledgerEntry);
  }

  private void relocate(
      TableCatalog hive, LedgerTable table, HivePartition partition, StoragePath directory)
      throws CatalogUnavailableException, CatalogConflictException {
    TableDefinition definition = definition(table);
    // Register the table again: it is missing if the catalog was unavailable before, or if the
    // table was dropped.
    hive.registerTable(definition);
    int elsewhere = hive.addPartitions(definition, List.of(partition)).size();
    LOG.debug("{}: {} located in an earlier fold", partition, elsewhere);
    hive.relocatePartition(definition, partition, storage.location() + directory);
  }

  /** Removes files that a fold has replaced, once the fold is two days old. */
  private void removeFolded(StoragePath singles, StoragePath folds, StoredFile newest)
      throws IOException {
    for (StoredFile directory : storage.list(folds)) {
      if (!directory.path().equals(newest.path().parent())
          && storage.deleteTree(directory.path())) {
        LOG.info("removed {}, because {} has its rows", directory.path(), newest.path());
      }
    }
    if (storage.deleteTree(singles)) {
      LOG.info("removed {}, because {} has its rows", singles, newest.path());
    }
  }

  private void removeOldBatches(TableCatalog hive, Instant now)
      throws IOException, CatalogUnavailableException, CatalogConflictException {
    for (HivePartition day : oldBatches(now)) {
      hive.dropPartitions(definition(LedgerTable.BATCHES), List.of(day));
      for (StoragePath root : rootsOfBatches()) {
        if (storage.deleteTree(root.child(day.path()))) {
          LOG.info("removed {}, which is older than {}", root.child(day.path()), batchesKept);
        }
      }
    }
  }

  /**
   * Removes the files of old days of batches after Hive integration was switched off. Their
   * directories stay: Hive still has the Hive partitions, which are dropped once it is on again.
   */
  private void emptyOldBatches(Instant now) throws IOException {
    for (HivePartition day : oldBatches(now)) {
      for (StoragePath root : rootsOfBatches()) {
        removeFiles(root.child(day.path()));
      }
    }
  }

  private void removeFiles(StoragePath directory) throws IOException {
    for (StoredFile existing : storage.list(directory)) {
      if (existing.directory()) {
        removeFiles(existing.path());
      } else if (storage.delete(existing.path())) {
        LOG.info("removed {}, which is older than {}", existing.path(), batchesKept);
      }
    }
  }

  /** Returns the days of batches whose retention is over. */
  private Set<HivePartition> oldBatches(Instant now) throws IOException {
    Set<HivePartition> old = new LinkedHashSet<>();
    for (StoragePath root : rootsOfBatches()) {
      for (String day : times(root, "day=")) {
        if (end(day).filter(end -> end.plus(batchesKept).isBefore(now)).isPresent()) {
          old.add(LedgerTable.BATCHES.partition(logId, day));
        }
      }
    }
    return old;
  }

  private List<StoragePath> rootsOfBatches() {
    return List.of(
        LedgerTable.BATCHES.root(ledgerDirectory), LedgerTable.BATCHES.foldedRoot(ledgerDirectory));
  }

  private TableDefinition definition(LedgerTable table) {
    return table.definition(database, storage.location(), ledgerDirectory, format);
  }
}
