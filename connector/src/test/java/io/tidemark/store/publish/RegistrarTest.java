package io.tidemark.store.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.commit.CommitEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PathFormat;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.EmptyCatalog;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableLayout;
import io.tidemark.store.table.TableName;
import io.tidemark.store.table.TableRoot;
import io.tidemark.store.table.TableSchemas;
import io.tidemark.store.table.UnseenPartition;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

final class RegistrarTest {
  private static final StoragePath ROOT = new StoragePath("/topics/quotes");
  private static final TableName QUOTES = new TableName("default", "quotes");

  private final MemoryStorage storage = new MemoryStorage();
  private final Added catalog = new Added();

  private long nowMs = 60_000;
  private final Registrar registrar =
      new Registrar(storage, catalog, table -> Map.of(), () -> nowMs);

  RegistrarTest() throws Exception {
    putSchema(ROOT);
  }

  private void putSchema(StoragePath root) throws Exception {
    new TableSchemas(storage, new TableLayout(root))
        .evolve(
            SchemaBuilder.record("Quote").fields().requiredString("symbol").endRecord(),
            schema -> {});
  }

  @Test
  void oneQuestionServesAllBatchesThatWaitForIt() throws Exception {
    CommitEntry.Batch first = batch("dt=2026-11-20");
    CommitEntry.Batch second = batch("dt=2026-11-20");
    long since = registrar.tick();
    long later = registrar.tick();
    assertThat(registrar.pauseMs(first, since, nowMs)).isZero();

    registrar.register(first, since);
    assertThat(registrar.pauseMs(second, later, nowMs)).isZero();
    registrar.register(second, later);
    registrar.register(batch("dt=2026-11-21"));

    assertThat(catalog.paths).containsExactly("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void batchOfATableThatWasJustAskedForWaitsForOthers() throws Exception {
    registrar.register(batch("dt=2026-11-20"));
    long since = registrar.tick();
    nowMs += 400;

    assertThat(registrar.pauseMs(batch("dt=2026-11-20"), since, nowMs)).isEqualTo(600);
    nowMs += 600;
    assertThat(registrar.pauseMs(batch("dt=2026-11-20"), since, nowMs)).isZero();
  }

  @Test
  void checksOfKnownHivePartitionsTakeATenthOfTheTime() throws Exception {
    registrar.register(batch("dt=2026-11-20"));
    nowMs += 5_000;
    catalog.tookMs = 300;
    registrar.register(batch("dt=2026-11-20"));
    long since = registrar.tick();

    assertThat(registrar.pauseMs(batch("dt=2026-11-20"), since, nowMs)).isEqualTo(2_700);
    assertThat(registrar.pauseMs(batch("dt=2026-11-21"), since, nowMs))
        .as("a new Hive partition")
        .isEqualTo(1_000);
    nowMs += 2_700;
    assertThat(registrar.pauseMs(batch("dt=2026-11-20"), since, nowMs)).isZero();
  }

  /** Batches of one topic-partition are registered one after another. */
  @Test
  void batchThatWaitedBehindOthersDoesNotWaitAsLongAgain() throws Exception {
    registrar.register(batch("dt=2026-11-20"));
    registrar.register(batch("dt=2026-11-21"));
    long since = registrar.tick();
    long publishedMs = nowMs;
    catalog.tookMs = 2_000;
    nowMs += 8_000;
    registrar.register(batch("dt=2026-11-20"), since);

    assertThat(registrar.pauseMs(batch("dt=2026-11-21"), since, publishedMs)).isZero();
    assertThat(registrar.pauseMs(batch("dt=2026-11-21"), since, nowMs)).isEqualTo(10_000);
  }

  @Test
  void slowCatalogDelaysAKnownHivePartitionByTenSecondsAtMost() throws Exception {
    catalog.tookMs = 20_000;
    registrar.register(batch("dt=2026-11-20"));
    long since = registrar.tick();

    assertThat(registrar.pauseMs(batch("dt=2026-11-20"), since, nowMs)).isEqualTo(10_000);
  }

  @Test
  void hivePartitionIsExpectedToBeMissingIfOthersOfItsTableWereAskedForBefore() throws Exception {
    registrar.register(batch("dt=2026-11-20"));
    registrar.register(batch("dt=2026-11-20"));
    registrar.register(batch("dt=2026-11-21"));
    registrar.register(batch("dt=2026-11-21"));

    assertThat(catalog.expectedMissing).containsExactly("dt=2026-11-21");
  }

  @Test
  void hivePartitionsOfAMissingTableAreExpectedToBeMissing() throws Exception {
    catalog.exists = false;

    registrar.register(batch("dt=2026-11-20"));

    assertThat(catalog.expectedMissing).containsExactly("dt=2026-11-20");
  }

  @Test
  void hivePartitionWhoseRequestWasRefusedIsNotExpectedToBeMissing() throws Exception {
    registrar.register(batch("dt=2026-11-20"));
    catalog.unseen.put(
        "dt=2026-11-21", unseen("dt=2026-11-21", Optional.of("hdfs://nn/archive/21")));

    for (int attempt = 0; attempt < 3; attempt++) {
      assertThat(catchThrowable(() -> registrar.register(batch("dt=2026-11-21"))))
          .isInstanceOf(CatalogConflictException.class);
    }

    assertThat(catalog.expectedMissing).containsExactly("dt=2026-11-21");
    assertThat(catalog.paths).endsWith("dt=2026-11-21", "dt=2026-11-21", "dt=2026-11-21");
  }

  @Test
  void noHivePartitionIsExpectedToBeMissingOnceRequestsAreForgotten() throws Exception {
    for (int day = 0; day <= 10_000; day++) {
      registrar.register(batch("dt=" + day));
    }
    catalog.expectedMissing.clear();

    registrar.register(batch("dt=0"));
    registrar.register(batch("dt=10001"));

    assertThat(catalog.expectedMissing).isEmpty();
  }

  @Test
  void hivePartitionThatSomebodyDroppedIsAddedAgainForItsNewFilesAlone() throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    landing.register(batch("dt=2026-11-19"));
    landing.register(batch("dt=2026-11-20"));
    TableDefinition table = hive.table(QUOTES).orElseThrow();
    hive.dropPartitions(
        table, List.of(HivePartition.parse("dt=2026-11-19"), HivePartition.parse("dt=2026-11-20")));

    landing.register(batch("dt=2026-11-20"));
    landing.register(batch("dt=2026-11-21"));

    assertThat(hive.paths(QUOTES)).containsExactlyInAnyOrder("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void hivePartitionThatSomebodyDroppedIsRegisteredAgainAfterARestart() throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    landed("dt=2026-11-19");
    landed("dt=2026-11-20");
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    landing.registerWhole(new TableRoot(QUOTES, ROOT), claim(0), landing.tick());
    hive.dropPartitions(
        hive.table(QUOTES).orElseThrow(), List.of(HivePartition.parse("dt=2026-11-19")));

    landing.registerWhole(new TableRoot(QUOTES, ROOT), claim(1), landing.tick());
    assertThat(hive.paths(QUOTES)).containsExactly("dt=2026-11-20");

    Registrar restarted = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    restarted.registerWhole(new TableRoot(QUOTES, ROOT), claim(0), restarted.tick());
    assertThat(hive.paths(QUOTES)).containsExactlyInAnyOrder("dt=2026-11-19", "dt=2026-11-20");
  }

  @Test
  void hivePartitionThatSomebodyMovedIsRefusedWithItsNextFiles() throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    landing.register(batch("dt=2026-11-20"));
    TableDefinition table = hive.table(QUOTES).orElseThrow();
    HivePartition day = HivePartition.parse("dt=2026-11-20");
    hive.relocatePartition(table, day, "hdfs://nn/archive/2026");

    assertThat(catchThrowable(() -> landing.register(batch("dt=2026-11-20"))))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining(
            "has the location hdfs://nn/archive/2026, but its new files are in memory:/topics");
    landing.register(batch("dt=2026-11-21"));

    hive.dropPartitions(table, List.of(day));
    landing.register(batch("dt=2026-11-20"));
    assertThat(hive.location(QUOTES, day)).contains("memory:/topics/quotes/dt=2026-11-20");
  }

  @Test
  void eachBatchTellsItsHivePartitionsThatQueriesDoNotSee() throws Exception {
    UnseenPartition taken = unseen("dt=2026-11-20", Optional.empty());
    catalog.unseen.put("dt=2026-11-20", taken);

    assertThat(registrar.register(batch("dt=2026-11-20"))).containsExactly(taken);
    assertThat(registrar.register(batch("dt=2026-11-21"))).isEmpty();
    assertThat(registrar.register(batch("dt=2026-11-20"))).containsExactly(taken);
    assertThat(registrar.register(batch("dt=2026-11-20"), 0)).containsExactly(taken);
    assertThat(catalog.paths).containsExactly("dt=2026-11-20", "dt=2026-11-21", "dt=2026-11-20");
  }

  @Test
  void hivePartitionThatIsSeenAgainIsNotToldAnyMore() throws Exception {
    catalog.unseen.put("dt=2026-11-20", unseen("dt=2026-11-20", Optional.empty()));
    assertThat(registrar.register(batch("dt=2026-11-20"))).hasSize(1);

    catalog.unseen.clear();

    assertThat(registrar.register(batch("dt=2026-11-20"))).isEmpty();
  }

  @Test
  void hivePartitionThatStandsElsewhereIsRefusedUntilItIsMended() throws Exception {
    catalog.unseen.put("dt=2026-11-20", unseen("dt=2026-11-20", Optional.of("hdfs://nn/other")));

    for (int time = 0; time < 2; time++) {
      assertThat(catchThrowable(() -> registrar.register(batch("dt=2026-11-20"))))
          .isInstanceOf(CatalogConflictException.class)
          .hasMessageContaining(
              "has the location hdfs://nn/other, but its new files are in memory:/topics");
    }
    catalog.unseen.clear();
    assertThat(registrar.register(batch("dt=2026-11-20"))).isEmpty();
  }

  /** Another task may have registered a newer schema, so that this one's no longer fits. */
  @Test
  void refusedTableIsRegisteredAgainWithItsNewestSchema() throws Exception {
    Schema wider =
        SchemaBuilder.record("Quote")
            .fields()
            .requiredString("symbol")
            .optionalLong("price")
            .endRecord();
    List<Schema> accepted = new ArrayList<>();
    MemoryCatalog hive =
        new MemoryCatalog() {
          @Override
          public synchronized List<UnseenPartition> addPartitions(
              TableDefinition table, Collection<HivePartition> added)
              throws CatalogConflictException {
            if (!accepted.isEmpty() && !accepted.contains(table.schema())) {
              throw new CatalogConflictException("the columns are those of another schema");
            }
            return super.addPartitions(table, added);
          }
        };
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    landing.register(batch("dt=2026-11-20"));
    accepted.add(
        new TableSchemas(storage, new TableLayout(ROOT)).evolve(wider, schema -> {}).schema());

    assertThat(catchThrowable(() -> landing.register(batch("dt=2026-11-21"))))
        .isInstanceOf(CatalogConflictException.class);
    assertThat(landing.register(batch("dt=2026-11-21"))).isEmpty();
  }

  @Test
  void tableThatSomebodyDroppedIsMadeAgainWithAllThatLandedForTheNextHivePartition()
      throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    landed("dt=2026-11-20");
    landing.register(batch("dt=2026-11-20"));
    hive.drop(QUOTES);
    landed("dt=2026-11-21");

    assertThat(landing.register(batch("dt=2026-11-21"))).isEmpty();

    assertThat(hive.paths(QUOTES)).containsExactlyInAnyOrder("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void tableThatSomebodyDroppedIsMadeAgainWithoutANewHivePartition() throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    landed("dt=2026-11-20");
    landed("dt=2026-11-21");
    landing.register(batch("dt=2026-11-20"));
    landing.register(batch("dt=2026-11-21"));
    hive.drop(QUOTES);

    landing.register(batch("dt=2026-11-21"));

    assertThat(hive.paths(QUOTES)).containsExactlyInAnyOrder("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void tableThatIsDroppedBeforeATasksFirstBatchIsMadeAgainWithAllThatLanded() throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    landed("dt=2026-11-20");
    new MarkerFiles(storage, new TableLayout(ROOT)).registered(QUOTES, claim(0));
    landed("dt=2026-11-21");

    new Registrar(storage, hive, table -> Map.of(), () -> nowMs).register(batch("dt=2026-11-21"));

    assertThat(hive.paths(QUOTES)).containsExactlyInAnyOrder("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void oneCheckOfATableServesAllClaimsThatWaitForIt() throws Exception {
    AtomicInteger checks = new AtomicInteger();
    MemoryCatalog hive =
        new MemoryCatalog() {
          @Override
          public synchronized boolean exists(TableName table) {
            checks.incrementAndGet();
            return super.exists(table);
          }
        };
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    long since = landing.tick();
    long later = landing.tick();

    landing.registerWhole(new TableRoot(QUOTES, ROOT), claim(0), since);
    landing.registerWhole(new TableRoot(QUOTES, ROOT), claim(1), later);
    assertThat(checks).hasValue(1);

    landing.registerWhole(new TableRoot(QUOTES, ROOT), claim(2), landing.tick());
    assertThat(checks).hasValue(2);
  }

  @Test
  void tableThatIsDroppedBetweenTwoClaimsIsMadeAgainWithAllThatLanded() throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    landed("dt=2026-11-20");
    Registrar former = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    former.registerWhole(new TableRoot(QUOTES, ROOT), claim(0), former.tick());
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    long since = landing.tick();
    long later = landing.tick();
    landing.registerWhole(new TableRoot(QUOTES, ROOT), claim(0), since);

    hive.drop(QUOTES);
    landing.registerWhole(new TableRoot(QUOTES, ROOT), claim(1), later);
    landed("dt=2026-11-21");
    landing.register(batch("dt=2026-11-21"));

    assertThat(hive.paths(QUOTES)).containsExactlyInAnyOrder("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void tableThatIsDroppedBeforeItGetsANewSchemaIsMadeAgainWithAllThatLanded() throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    landed("dt=2026-11-20");
    landing.register(batch("dt=2026-11-20"));
    hive.drop(QUOTES);
    landed("dt=2026-11-21");
    new TableSchemas(storage, new TableLayout(ROOT))
        .evolve(
            SchemaBuilder.record("Quote")
                .fields()
                .requiredString("symbol")
                .optionalLong("size")
                .endRecord(),
            schema -> {});

    landing.register(batch("dt=2026-11-21", 2));

    assertThat(hive.paths(QUOTES)).containsExactlyInAnyOrder("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void failureWhileATableIsMadeAgainLeavesNoHivePartitionOut() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    MemoryCatalog hive =
        new MemoryCatalog() {
          @Override
          public synchronized List<UnseenPartition> addPartitions(
              TableDefinition table, Collection<HivePartition> added)
              throws CatalogConflictException {
            if (exists(table.name()) && fails.getAndSet(false)) {
              throw new CatalogConflictException("once");
            }
            return super.addPartitions(table, added);
          }
        };
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    landed("dt=2026-11-20");
    landing.register(batch("dt=2026-11-20"));
    hive.drop(QUOTES);
    landed("dt=2026-11-21");
    fails.set(true);

    assertThat(catchThrowable(() -> landing.register(batch("dt=2026-11-21"))))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessage("once");
    assertThat(hive.paths(QUOTES)).isEmpty();
    landing.register(batch("dt=2026-11-21"));

    assertThat(hive.paths(QUOTES)).containsExactlyInAnyOrder("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void tableWhoseSchemasAreGoneIsRegisteredOnceTheyAreBack() throws Exception {
    StoragePath directory = new TableLayout(ROOT).metadataDirectory().child("schemas");
    StoragePath schema = storage.list(directory).get(0).path();
    byte[] copy;
    try (InputStream in = storage.open(schema)) {
      copy = in.readAllBytes();
    }
    storage.delete(schema);
    assertThat(catchThrowable(() -> registrar.register(batch("dt=2026-11-20"))))
        .isInstanceOf(CatalogConflictException.class)
        .hasMessageContaining("is missing, with all schemas of the table")
        .hasMessageContaining("Restore them from a snapshot");

    try (OutputStream out = storage.create(schema)) {
      out.write(copy);
    }
    registrar.register(batch("dt=2026-11-20"));

    assertThat(catalog.paths).containsExactly("dt=2026-11-20");
  }

  /** A catalog has one location for a name. */
  @Test
  void fileOfAMovedTableIsNotRegisteredAtTheFormerRoot() throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    Registrar landing = new Registrar(storage, hive, table -> Map.of(), () -> nowMs);
    StoragePath elsewhere = new StoragePath("/elsewhere/quotes");
    putSchema(elsewhere);
    landing.register(batch("dt=2026-11-20"));
    CommitEntry.Batch moved = batch(elsewhere, "dt=2026-11-20", 1);

    for (int attempt = 0; attempt < 2; attempt++) {
      assertThat(catchThrowable(() -> landing.register(moved)))
          .isInstanceOf(CatalogConflictException.class)
          .hasMessageContaining("memory:/topics/quotes")
          .hasMessageContaining("memory:/elsewhere/quotes");
    }
    landing.register(batch("dt=2026-11-21"));
    assertThat(hive.paths(QUOTES)).containsExactlyInAnyOrder("dt=2026-11-20", "dt=2026-11-21");
  }

  /** The table is only in the catalog once it has files. Without it, a marker means: dropped. */
  @Test
  void tableWithoutFilesIsMarkedOnceItsFirstBatchIsRegistered() throws Exception {
    MemoryCatalog hive = new MemoryCatalog();
    TableRoot table = new TableRoot(QUOTES, ROOT);
    Registrar first = new Registrar(storage, hive, name -> Map.of(), () -> nowMs);
    first.registerWhole(table, claim(0), first.tick());
    assertThat(isMarked()).isFalse();

    landed("dt=2026-11-20");
    assertThat(first.recreatesNone(batch("dt=2026-11-20"))).isTrue();
    first.register(batch("dt=2026-11-20"));
    assertThat(isMarked()).isTrue();
  }

  private boolean isMarked() throws Exception {
    return new MarkerFiles(storage, new TableLayout(ROOT)).isRegistered(QUOTES);
  }

  @Test
  void tableWhoseLayoutIsMissingIsRefusedAndNotMarkedAsRegistered() throws Exception {
    landed("dt=2026-11-20");
    assertThat(storage.delete(new TableLayout(ROOT).metadataDirectory().child("layout.json")))
        .isTrue();

    refusesWholeTable("layout.json is missing");

    landed("dt=2026-11-21");
    registrar.registerWhole(new TableRoot(QUOTES, ROOT), claim(0), registrar.tick());
    assertThat(catalog.paths).containsExactlyInAnyOrder("dt=2026-11-20", "dt=2026-11-21");
  }

  @Test
  void tableWhoseSchemasAreMissingIsRefusedAndNotMarkedAsRegistered() throws Exception {
    landed("dt=2026-11-20");
    assertThat(storage.deleteTree(new TableLayout(ROOT).metadataDirectory().child("schemas")))
        .isTrue();

    refusesWholeTable("is missing, with all schemas of the table");

    putSchema(ROOT);
    registrar.registerWhole(new TableRoot(QUOTES, ROOT), claim(0), registrar.tick());
    assertThat(catalog.paths).containsExactly("dt=2026-11-20");
  }

  private void refusesWholeTable(String because) throws Exception {
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThat(
              catchThrowable(
                  () ->
                      registrar.registerWhole(
                          new TableRoot(QUOTES, ROOT), claim(0), registrar.tick())))
          .isInstanceOf(CatalogConflictException.class)
          .hasMessageContaining(because);
    }
    assertThat(isMarked()).isFalse();
  }

  /** Writes a published file, and the table's metadata that landing has recorded before. */
  private void landed(String hivePartition) throws Exception {
    TableLayout layout = new TableLayout(ROOT);
    new LayoutFile(storage, layout)
        .put(
            RecordedLayout.of(
                new TimePartitioned(
                    PathFormat.parse("'dt'=yyyy-MM-dd", Locale.ROOT),
                    ZoneOffset.UTC,
                    Duration.ofDays(1),
                    Optional.empty(),
                    TimestampField.Unit.MILLIS)));
    storage.makeDirectories(ROOT.child(hivePartition));
    storage.create(ROOT.child(hivePartition).child("quotes+0+g1+0+0.avro")).close();
  }

  private StagingDirectories.OfClaim claim(int partition) {
    return new StagingDirectories(storage, "quotes", new TopicPartition("quotes", partition))
        .ofClaim(1, new UUID(0, 1));
  }

  private static UnseenPartition unseen(String hivePartition, Optional<String> existing) {
    return new UnseenPartition(
        new TableName("default", "quotes"),
        HivePartition.parse(hivePartition),
        "memory:" + ROOT.child(hivePartition),
        existing,
        Optional.empty());
  }

  private static CommitEntry.Batch batch(String hivePartition) {
    return batch(hivePartition, 1);
  }

  private static CommitEntry.Batch batch(String hivePartition, int schemaVersion) {
    return batch(ROOT, hivePartition, schemaVersion);
  }

  private static CommitEntry.Batch batch(
      StoragePath root, String hivePartition, int schemaVersion) {
    return PublishedBatch.of(
        new TableRoot(QUOTES, root),
        HivePartition.parse(hivePartition),
        "quotes+0+g1+0000000000+0000000000.avro",
        schemaVersion);
  }

  /** Records the Hive partitions that it is asked to add. */
  private final class Added extends EmptyCatalog {
    long tookMs;
    boolean exists = true;
    final List<String> paths = new ArrayList<>();
    final List<String> expectedMissing = new ArrayList<>();
    final Map<String, UnseenPartition> unseen = new HashMap<>();

    @Override
    public boolean exists(TableName table) {
      return exists;
    }

    @Override
    public List<UnseenPartition> addPartitions(
        TableDefinition table,
        Collection<HivePartition> partitions,
        Set<HivePartition> expectedMissing) {
      expectedMissing.forEach(partition -> this.expectedMissing.add(partition.path()));
      return addPartitions(table, partitions);
    }

    @Override
    public List<UnseenPartition> addPartitions(
        TableDefinition table, Collection<HivePartition> partitions) {
      nowMs += tookMs;
      partitions.forEach(partition -> paths.add(partition.path()));
      return partitions.stream()
          .flatMap(partition -> Optional.ofNullable(unseen.get(partition.path())).stream())
          .toList();
    }

    @Override
    public void dropPartitions(TableDefinition table, Collection<HivePartition> partitions) {
      throw new AssertionError("the registrar drops nothing");
    }

    @Override
    public void relocatePartition(TableDefinition table, HivePartition partition, String location) {
      throw new AssertionError("the registrar moves nothing");
    }
  }
}
