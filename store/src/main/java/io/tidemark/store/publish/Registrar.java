package io.tidemark.store.publish;

import io.tidemark.store.MonotonicClock;
import io.tidemark.store.PrintableText;
import io.tidemark.store.Storage;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.HiveDirectories;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import io.tidemark.store.table.UnseenPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers the tables and Hive partitions of published entries in the catalog. Idempotent. The
 * catalog is read after the files of a batch were published, because a user may drop or move their
 * Hive partition or the table at any time. One request serves all waiting batches. Thread-safe.
 *
 * <p>Publications and catalog requests are ordered by the ticks of a logical clock. A request with
 * a larger tick than a publication began after it, and covers its files.
 */
public final class Registrar {
  private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);

  private final Storage storage;
  private final TableCatalog catalog;
  private final MonotonicClock clock;
  private final TableDefinitions tables;
  private final RegisteredPartitions registered;
  private final AtomicLong ticks = new AtomicLong();
  private final Map<TableRoot, Long> wholeTables = new HashMap<>();
  private final Map<TableRoot, List<UnseenPartition>> unseenOfWhole = new HashMap<>();

  /** The tick of the last check whether a table exists, before its first registration. */
  private final Map<TableRoot, Long> checked = new HashMap<>();

  /** Dropped tables that are being recreated. */
  private final Set<TableRoot> dropped = new HashSet<>();

  /** Why {@link #registerLeft} failed for a table, as it was logged. */
  private final Map<TableRoot, String> problems = new HashMap<>();

  /** {@code tableParameters} are set on a table, such as the name of the owning log directory. */
  public Registrar(
      Storage storage,
      TableCatalog catalog,
      Function<TableName, Map<String, String>> tableParameters,
      MonotonicClock clock) {
    this.storage = storage;
    this.catalog = catalog;
    this.clock = clock;
    this.tables = new TableDefinitions(storage, catalog, tableParameters);
    this.registered = new RegisteredPartitions(clock);
  }

  public List<UnseenPartition> register(CommitEntry.Batch batch)
      throws IOException, CorruptLogException, CatalogConflictException {
    return register(batch, tick());
  }

  /**
   * Returns how long a batch should wait for others, in milliseconds, so that one catalog request
   * serves all of them. A batch with a new Hive partition waits at most a second, and any other
   * batch at most ten seconds after its files were published.
   *
   * @param since a {@link #tick} after its files were published
   * @param publishedMs when they were published, in {@link #millis}
   */
  public long pauseMs(CommitEntry.Batch batch, long since, long publishedMs) {
    List<TableRoot> asking =
        batch.tables().stream()
            .filter(table -> !registered.unsure(table, filesOf(batch, table), since).isEmpty())
            .toList();
    boolean check = asking.stream().allMatch(each -> registered.knows(each, filesOf(batch, each)));
    long pauseMs =
        asking.stream().mapToLong(table -> registered.pauseMs(table, check)).max().orElse(0);
    // A batch that waited behind others does not wait as long again.
    long longestMs = publishedMs + RegisteredPartitions.LONGEST_PAUSE_MS - clock.millis();
    return Math.max(0, Math.min(pauseMs, longestMs));
  }

  public long millis() {
    return clock.millis();
  }

  /**
   * Registers the tables and Hive partitions of a batch's files that were published before the
   * {@link #tick} {@code since}. Returns those that queries still do not see, because the catalog
   * cannot distinguish them from other Hive partitions.
   */
  public List<UnseenPartition> register(CommitEntry.Batch batch, long since)
      throws IOException, CorruptLogException, CatalogConflictException {
    List<UnseenPartition> notSeen = new ArrayList<>();
    for (TableRoot table : batch.tables()) {
      List<DataFile> files = filesOf(batch, table);
      if (!files.isEmpty()) {
        notSeen.addAll(register(table, files, since));
      }
    }
    return notSeen;
  }

  /** Returns whether registering a batch recreates no table that a user has dropped. */
  public boolean recreatesNone(CommitEntry.Batch batch)
      throws IOException, CatalogConflictException {
    for (TableRoot table : batch.tables()) {
      if (!catalog.exists(table.table())
          && new MarkerFiles(storage, table.layout()).isRegistered(table.table())) {
        return false;
      }
    }
    return true;
  }

  private static List<DataFile> filesOf(CommitEntry.Batch batch, TableRoot table) {
    return batch.files().stream().filter(file -> file.table().equals(table.table())).toList();
  }

  /** Advances the logical clock. */
  public long tick() {
    return ticks.incrementAndGet();
  }

  /**
   * Registers a whole table by its directories, if the catalog may lack parts of it: records landed
   * without a catalog, or the table was dropped. The first claim of a task always does so: Hive
   * partitions may have been dropped. Returns those that queries still do not see.
   *
   * @param claim a claim on a topic-partition; all commits of earlier claims are published
   * @param since a {@link #tick} after these commits were published: a listing of the directories
   *     with a larger one has all their files. Claims with one tick need one listing, and one check
   *     whether the table exists
   */
  public synchronized List<UnseenPartition> registerWhole(
      TableRoot table, StagingDirectories.OfClaim claim, long since)
      throws IOException, CorruptLogException, CatalogConflictException {
    TableName name = table.table();
    MarkerFiles markers = new MarkerFiles(storage, table.layout());
    if (!tables.has(table) && checked.getOrDefault(table, 0L) <= since) {
      long begun = tick();
      if (!catalog.exists(name)) {
        // First, because a crash after the table's creation would leave files unregistered.
        markers.forget(name);
        wholeTables.remove(table);
      }
      checked.put(table, begun);
    }
    HiveDirectories directories = new HiveDirectories(storage, table.layout());
    if (!markers.mayHoldMore(name, claim)
        && (wholeTables.containsKey(table) || !directories.holdsFiles())) {
      return List.of();
    }
    if (wholeTables.getOrDefault(table, 0L) <= since) {
      long begun = tick();
      if (directories.isEmpty()) {
        return List.of(); // A marker file would let the table look as if it had been dropped.
      }
      unseenOfWhole.put(table, registerDirectories(table));
      wholeTables.put(table, begun);
    }
    markers.registered(name, claim);
    return unseenOfWhole.getOrDefault(table, List.of());
  }

  /**
   * As {@link #registerWhole}, for topic-partitions that no task claims again; but not if the table
   * was dropped. Pauses between two tries. Returns why the table is not registered; empty if it is.
   */
  public synchronized Optional<String> registerLeft(TableRoot table) {
    if (registered.pauseMs(table, true) > 0) {
      return Optional.of(problems.getOrDefault(table, "The catalog is asked after a pause"));
    }
    long begun = tick();
    long begunMs = clock.millis();
    String problem =
        "The table was dropped in Hive: a task creates it again when it lands a record";
    try {
      MarkerFiles markers = new MarkerFiles(storage, table.layout());
      if (catalog.exists(table.table()) || !markers.isRegistered(table.table())) {
        registerDirectories(table);
        markers.registered(table.table());
        problems.remove(table);
        return Optional.empty();
      }
    } catch (CorruptLogException | CatalogUnavailableException | CatalogConflictException e) {
      problem = PrintableText.messageOf(e);
    } catch (IOException e) { // The store may have lost a file of only this table.
      problem =
          "The store does not return a file: %s. If the file is lost, restore it from a copy"
              .formatted(PrintableText.messageOf(e));
    } finally {
      registered.asked(table, Set.of(), begun, clock.millis() - begunMs, List.of());
    }
    if (!problem.equals(problems.put(table, problem))) {
      LOG.warn(
          "{}: files that landed without a catalog for topic-partitions that are gone are not registered yet: {}",
          table.table(),
          problem);
    }
    return Optional.of(problem);
  }

  private List<UnseenPartition> registerDirectories(TableRoot table)
      throws IOException, CorruptLogException, CatalogConflictException {
    HiveDirectories directories = new HiveDirectories(storage, table.layout());
    if (directories.isEmpty()) {
      return List.of();
    }
    LayoutFile file = new LayoutFile(storage, table.layout());
    List<String> columns =
        file.read()
            .orElseThrow(
                () ->
                    new CatalogConflictException(
                        "%s: %s is missing, but %s has files. Another program removed it, or wrote the files. Restore it from a snapshot, or move the files away."
                            .formatted(table.table(), file.place(), table.root())))
            .columns();
    return requireVisible(directories.registerIn(catalog, tables.register(table, columns)));
  }

  private synchronized List<UnseenPartition> register(
      TableRoot table, List<DataFile> files, long since)
      throws IOException, CorruptLogException, CatalogConflictException {
    TableName name = table.table();
    int version = files.stream().mapToInt(DataFile::schemaVersion).max().orElseThrow();
    Optional<TableDefinition> known = tables.of(table, version);
    boolean missing = known.isEmpty() && !dropped.contains(table) && !catalog.exists(name);
    boolean recreated = dropped.contains(table) || (missing && isDropped(table, files));
    if (recreated) {
      recreate(table);
    }
    Set<HivePartition> unsure = registered.unsure(table, files, since);
    if (known.isPresent() && unsure.isEmpty()) {
      return registered.unseen(table, files);
    }
    List<String> partitionColumns = tables.columns(table, files.get(0));
    TableDefinition definition =
        known.isPresent() ? known.get() : tables.register(table, partitionColumns);
    Set<HivePartition> expectedMissing =
        missing && !recreated ? unsure : registered.expectedMissing(table, unsure);
    long begun = tick();
    long begunMs = clock.millis();
    List<UnseenPartition> unseen;
    try {
      unseen = add(definition, unsure, expectedMissing);
    } catch (CatalogConflictException e) {
      if (catalog.exists(name)) {
        tables.renew(table);
        registered.refused(table, unsure);
        throw e;
      }
      recreate(table);
      unseen = add(tables.register(table, partitionColumns), unsure, Set.of());
    }
    if (missing && !recreated) {
      new MarkerFiles(storage, table.layout()).registered(name); // These files are all it has.
    }
    registered.asked(table, unsure, begun, clock.millis() - begunMs, unseen);
    return registered.unseen(table, files);
  }

  /** Returns whether the table, which the catalog lacks, has other Hive partitions than these. */
  private boolean isDropped(TableRoot table, List<DataFile> files)
      throws IOException, CorruptLogException {
    if (tables.has(table)) {
      return true;
    }
    List<HivePartition> held =
        new HiveDirectories(storage, table.layout())
            .partitions(tables.columns(table, files.get(0)));
    return !files.stream().map(DataFile::hivePartition).toList().containsAll(held);
  }

  /**
   * Creates a table with all Hive partitions of its directories. If it was never registered, other
   * topic-partitions have published files before its first registration.
   */
  private void recreate(TableRoot table)
      throws IOException, CorruptLogException, CatalogConflictException {
    MarkerFiles markers = new MarkerFiles(storage, table.layout());
    if (tables.has(table) || markers.isRegistered(table.table())) {
      LOG.warn(
          "{}: the table is no longer in Hive: it was dropped or renamed. It is recreated, with all files in {}.",
          table.table(),
          table.root());
    }
    // First, because a failure or crash after the creation would leave files unregistered.
    dropped.add(table);
    markers.forget(table.table());
    registerDirectories(table);
    dropped.remove(table);
    markers.registered(table.table());
  }

  /**
   * Returns those that queries do not see. The rows of these have landed, and no retry makes Hive
   * see them. Other Hive partitions must not wait for them.
   */
  private List<UnseenPartition> add(
      TableDefinition definition, Set<HivePartition> partitions, Set<HivePartition> expectedMissing)
      throws CatalogUnavailableException, CatalogConflictException {
    return requireVisible(
        catalog.addPartitions(
            definition,
            partitions.stream().filter(each -> !each.columns().isEmpty()).toList(),
            expectedMissing));
  }

  /** Rejects Hive partitions that have another location, which an operator can correct. */
  private static List<UnseenPartition> requireVisible(List<UnseenPartition> unseen)
      throws CatalogConflictException {
    for (UnseenPartition each : unseen) {
      if (each.existing().isPresent()) {
        throw new CatalogConflictException(each.toString());
      }
      LOG.warn("{}", each);
    }
    return unseen;
  }

  public TableDefinition definition(TableRoot table, List<String> partitionColumns) {
    return tables.definition(table, partitionColumns);
  }
}
