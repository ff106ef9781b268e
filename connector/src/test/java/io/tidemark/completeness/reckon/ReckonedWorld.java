package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Ledger;
import io.tidemark.completeness.decide.LedgerSettings;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicRules;
import io.tidemark.completeness.show.EventOutbox;
import io.tidemark.completeness.show.LedgerShow;
import io.tidemark.completeness.show.LedgerTables;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.Storage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.log.AppendOutcome;
import io.tidemark.store.log.NumberedLog;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.publish.Registrar;
import io.tidemark.store.schema.SchemaRules;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.CatalogUnavailableException;
import io.tidemark.store.table.EmptyCatalog;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableOptions;
import io.tidemark.store.table.TableSchemas;
import io.tidemark.store.table.UnseenPartition;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/**
 * A store, a catalog, a Kafka and a clock, with the table {@code default.orders} of the topic
 * {@code orders}, partitioned by hour. Reckoners of the log {@code sales} run in it.
 */
final class ReckonedWorld {
  static final StoragePath LOGS = new StoragePath("/logs");
  static final StoragePath LEDGER = new StoragePath("/ledger");
  static final Instant SEVEN = Instant.parse("2026-11-21T07:00:00Z");
  static final Instant EIGHT = Instant.parse("2026-11-21T08:00:00Z");
  static final Duration LATENESS = Duration.ofMinutes(5);
  static final TableName ORDERS = new TableName("default", "orders");
  static final Table TABLE = table("orders");
  private static final Schema SCHEMA = SchemaBuilder.record("Order").fields().endRecord();

  private Instant now = SEVEN.plusSeconds(600);

  /** The time by which the reckoners' clock is ahead of the store's. */
  private Duration ahead = Duration.ZERO;

  private final InstantSource time = () -> now;
  private final MemoryStorage memory = new MemoryStorage(time.withZone(ZoneOffset.UTC));
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final MemoryCatalog catalog = new MemoryCatalog();
  private final FakeEndOffsets kafka = new FakeEndOffsets();
  private final List<ReckonedTable> tables =
      new ArrayList<>(List.of(new ReckonedTable(TABLE, List.of("orders"))));
  private final Map<String, List<String>> groups = new TreeMap<>();
  private Optional<FakeAnnouncements> announcements = Optional.empty();
  private boolean hive = true;
  private boolean catalogAway;

  ReckonedWorld() {
    catalogHas(TABLE);
  }

  static Table table(String name) {
    return new Table(
        new TableName("default", name),
        TableLayout.of(new StoragePath("/topics"), name),
        new TimePartitioned(
            PathFormat.parse("'dt'=yyyy-MM-dd/'hour'=HH", Locale.ROOT),
            ZoneOffset.UTC,
            Duration.ofHours(1),
            Optional.empty(),
            TimestampField.Unit.MILLIS),
        TableOptions.DEFAULT);
  }

  /** The Hive partition of an hour. */
  static HivePartition hour(Instant time) {
    return HivePartition.parse(
        "dt=%s/hour=%02d"
            .formatted(
                time.atZone(ZoneOffset.UTC).toLocalDate(), time.atZone(ZoneOffset.UTC).getHour()));
  }

  void catalogHas(Table table) {
    catalogHas(table, catalog);
  }

  void catalogHas(Table table, TableCatalog has) {
    try {
      has.registerTable(
          new TableDefinition(
              table.name(),
              memory.location() + table.layout().root().value(),
              SCHEMA,
              table.partitioning().columns(),
              Map.of()));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** Records a table in the store, as a task does before it stages the first file. */
  void recorded(Table table, String topic) throws Exception {
    new LogTables(memory, LOGS.child("sales")).add(table.name(), table.layout(), topic);
    new LayoutFile(memory, table.layout()).put(RecordedLayout.of(table.partitioning()));
    new TableSchemas(memory, table.layout()).evolve(SCHEMA, schema -> {});
  }

  Storage storage() {
    return memory;
  }

  FaultyStorage faulty() {
    return storage;
  }

  MemoryStorage memory() {
    return memory;
  }

  MemoryCatalog catalog() {
    return catalog;
  }

  FakeEndOffsets kafka() {
    return kafka;
  }

  List<ReckonedTable> tables() {
    return tables;
  }

  void group(String name, String... members) {
    groups.put(name, List.of(members));
  }

  /** The topic of announcements, which exists from now on. */
  FakeAnnouncements announcements() {
    if (announcements.isEmpty()) {
      announcements = Optional.of(new FakeAnnouncements(time));
    }
    return announcements.get();
  }

  /** Reckoners cannot reach the catalog for a while; it still shows the ledger's tables. */
  void catalogIsAway(boolean away) {
    catalogAway = away;
  }

  private TableCatalog seenByReckoners() {
    return new EmptyCatalog() {
      private MemoryCatalog reached() throws CatalogUnavailableException {
        if (catalogAway) {
          throw new CatalogUnavailableException("away", new IllegalStateException("away"));
        }
        return catalog;
      }

      @Override
      public boolean exists(TableName table) throws CatalogUnavailableException {
        return reached().exists(table);
      }

      @Override
      public void registerTable(TableDefinition table)
          throws CatalogUnavailableException, CatalogConflictException {
        reached().registerTable(table);
      }

      @Override
      public List<UnseenPartition> addPartitions(
          TableDefinition table, Collection<HivePartition> partitions)
          throws CatalogUnavailableException, CatalogConflictException {
        return reached().addPartitions(table, partitions);
      }
    };
  }

  void withoutHive() {
    hive = false;
  }

  Instant now() {
    return now;
  }

  void at(Instant instant) {
    now = instant;
  }

  void reckonersAreAhead(Duration by) {
    ahead = by;
  }

  LedgerDirectories folders() {
    return new LedgerDirectories(LEDGER, "sales");
  }

  Inbox inbox() {
    return new Inbox(memory, folders(), 100, 1 << 20);
  }

  ReckonedTask task(int topicPartition, String topicId) {
    return task(TABLE, "orders", topicPartition, topicId);
  }

  ReckonedTask task(Table table, String topic, int topicPartition, String topicId) {
    return new ReckonedTask(this, table, topicId, new TopicPartition(topic, topicPartition));
  }

  private Clock clock() {
    InstantSource source = () -> now.plus(ahead);
    return source.withZone(ZoneOffset.UTC);
  }

  LedgerLog ledgerLog(String worker) {
    return new LedgerLog(storage, folders(), "sales", worker, clock(), Duration.ofMinutes(1));
  }

  LedgerTables ledgerTables() {
    return ledgerTables(catalog);
  }

  private LedgerTables ledgerTables(TableCatalog shown) {
    return new LedgerTables(
        storage, hive ? Optional.of(shown) : Optional.empty(), "ledgers", folders());
  }

  CatalogLook catalogLook(TableCatalog seen) {
    return new CatalogLook(
        storage, seen, new Registrar(storage, seen, table -> Map.of(), () -> now.toEpochMilli()));
  }

  LedgerShow show() {
    return show(catalog);
  }

  LedgerShow show(TableCatalog shown) {
    return new LedgerShow(
        LATENESS,
        rules(HoldKind.LOST),
        false,
        ledgerTables(shown),
        Duration.ofDays(90),
        Optional.of(new LedgerShow.Events(new EventOutbox(storage, folders()), () -> {})));
  }

  Reckoner reckoner(String worker) {
    return reckoner(worker, show());
  }

  Reckoner reckoner(String worker, LedgerShow show) {
    return reckoner(worker, show, assigned -> tables);
  }

  /** A reckoner with another configuration. */
  Reckoner reckoner(String worker, LedgerShow show, Subscription subscription) {
    return new Reckoner(
        new ReckonerServices(
            storage,
            folders(),
            LOGS,
            ledgerLog(worker),
            kafka,
            announcements.map(topic -> topic),
            hive ? Optional.of(catalogLook(seenByReckoners())) : Optional.empty(),
            show,
            clock(),
            () -> now.toEpochMilli(),
            new Random(1),
            Runnable::run),
        settings(),
        subscription);
  }

  LedgerSettings settings() {
    return new LedgerSettings(
        Duration.ofMinutes(5),
        LATENESS,
        rules(HoldKind.LOST, HoldKind.DELETED, HoldKind.UNSEEN),
        Duration.ofHours(1),
        announcements.map(topic -> Duration.ofDays(7)),
        new TreeMap<>(),
        new TreeMap<>(groups));
  }

  private static TopicRules rules(HoldKind... holdOn) {
    return new TopicRules(new TopicRules.Rule(false, Set.of(holdOn)), Map.of());
  }

  /** Runs a reckoner for a time. */
  void run(Reckoner reckoner, Duration time) throws Exception {
    Instant until = now.plus(time);
    while (now.isBefore(until)) {
      Duration pause = reckoner.cycle();
      now = now.plus(pause);
    }
  }

  /**
   * Does the same as {@link #run}, and continues after failures with a pause of a second.
   *
   * @return the number of failures
   */
  int runOverFailures(Reckoner reckoner, Duration time) {
    Instant until = now.plus(time);
    int failures = 0;
    while (now.isBefore(until)) {
      try {
        now = now.plus(reckoner.cycle());
      } catch (Exception e) {
        failures++;
        now = now.plusSeconds(1);
      }
    }
    return failures;
  }

  Ledger ledger() throws Exception {
    return ledgerLog("reader").read();
  }

  /** Appends to the ledger of another log the time through which its table is complete. */
  void appendForeign(String log, String table, Instant through) throws Exception {
    LedgerState state =
        LedgerState.initial()
            .with(
                draft -> {
                  draft.lastTick = Optional.of(through);
                  draft.tables =
                      new TreeMap<>(
                          Map.of(
                              table,
                              new TableState(
                                  List.of("topic"),
                                  Optional.of(through),
                                  Optional.empty(),
                                  Optional.empty(),
                                  Optional.empty(),
                                  Optional.empty())));
                });
    LedgerDirectories other = new LedgerDirectories(LEDGER, log);
    memory.makeDirectories(other.log());
    AppendOutcome<LedgerEntry> outcome =
        new NumberedLog<>(memory, other.log(), LedgerEntry.FORMAT)
            .append(1, new LedgerEntry.Claim(UUID.randomUUID(), state, now, log, "w9"));
    if (!(outcome instanceof AppendOutcome.Appended<LedgerEntry>)) {
      throw new AssertionError(outcome);
    }
  }

  /** The time through which a table is complete. */
  Optional<Instant> through(String table) throws Exception {
    return Optional.ofNullable(ledger().state().tables().get(table))
        .flatMap(state -> state.through());
  }

  String held(String table) throws Exception {
    return Objects.requireNonNull(ledger().state().tables().get(table))
        .held()
        .map(Object::toString)
        .orElse("");
  }

  List<Hold> holds() throws Exception {
    return ledger().state().holds();
  }

  boolean isShown(Instant hour) throws Exception {
    return memory.find(TABLE.layout().partitionDirectory(hour(hour)).child("_SUCCESS")).isPresent();
  }

  /** The ids of the events that wait to be sent. */
  List<String> events() throws Exception {
    List<String> ids = new ArrayList<>();
    for (StoredFile file : memory.list(folders().ledger().child("events"))) {
      if (file.path().name().endsWith(".avro")) {
        try (InputStream in = memory.open(file.path());
            DataFileStream<GenericRecord> events =
                new DataFileStream<>(in, new GenericDatumReader<>())) {
          events.forEach(event -> ids.add(String.valueOf(event.get("id"))));
        }
      }
    }
    return ids;
  }

  /** The paths of the Hive partitions of {@code tidemark_complete}. */
  Set<String> complete() {
    return catalog.paths(new TableName("ledgers", "tidemark_complete"));
  }

  /** A table, with or without completions of Hive partitions that have no records. */
  static Table withEmpties(Table table, boolean empties) {
    return new Table(
        table.name(),
        table.layout(),
        table.partitioning(),
        new TableOptions(
            Optional.empty(),
            true,
            true,
            empties,
            true,
            TableOptions.DEFAULT_MAPPING,
            SchemaRules.DEFAULT));
  }
}
