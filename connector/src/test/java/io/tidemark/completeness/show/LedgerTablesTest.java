package io.tidemark.completeness.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.CatalogConflictException;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

class LedgerTablesTest {
  private static final StoragePath LEDGER = new StoragePath("/ledger");
  private static final LedgerDirectories FOLDERS = new LedgerDirectories(LEDGER, "sales");
  private static final TableName COMPLETE = new TableName("ledgers", "tidemark_complete");
  private static final Instant MORNING = Instant.parse("2026-11-21T08:05:09.104Z");

  private final MemoryStorage memory = new MemoryStorage();
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final MemoryCatalog catalog = new MemoryCatalog();
  private final ShownRows rows = new ShownRows(memory, catalog);
  private final LedgerTables tables = tables(Optional.of(catalog));

  private LedgerTables tables(Optional<MemoryCatalog> known) {
    return new LedgerTables(storage, known.map(each -> each), "ledgers", FOLDERS);
  }

  private static NumberedEntry<LedgerEntry> quiet(long number) {
    return Ledgers.reckoning(number, MORNING, List.of(), List.of());
  }

  @Test
  void watermarksHaveEachTopicTableAndGroup() throws Exception {
    tables.show(quiet(42), List.of());

    assertThat(rows.of("tidemark_watermarks"))
        .extracting(
            row -> text(row, "kind"),
            row -> text(row, "name"),
            row -> text(row, "complete_through"),
            row -> text(row, "asked_at"),
            row -> text(row, "held_because"),
            row -> row.get("ledger_entry"))
        .containsExactly(
            tuple(
                "topic", "orders", "2026-11-21T08:00:00Z", "2026-11-21T08:05:00.100Z", "null", 42L),
            tuple(
                "table",
                "default.orders",
                "2026-11-21T08:00:00Z",
                "2026-11-21T08:05:00.100Z",
                "null",
                42L),
            tuple("group", "sales", "null", "null", "NO_MEMBER default.payments@payments", 42L));
    assertThat(catalog.paths(new TableName("ledgers", "tidemark_watermarks")))
        .containsExactly("log_id=sales");
  }

  /** As text, '.' sorts before 'Z'. A fraction of a second would therefore compare wrongly. */
  @Test
  void completeThroughIsNeverLaterThanItIsAndComparesAsText() throws Exception {
    tables.show(quiet(42), List.of());

    assertThat(rows.of("tidemark_watermarks"))
        .filteredOn(row -> text(row, "kind").equals("topic"))
        .allSatisfy(
            row ->
                assertThat(text(row, "complete_through").compareTo("2026-11-21T08:00:00Z"))
                    .isZero());
  }

  @Test
  void completionsAndLateRecordsAreRows() throws Exception {
    HivePartition hour6 = HivePartition.parse("dt=2026-11-21/hour=06");
    tables.show(
        Ledgers.reckoning(
            42,
            MORNING,
            List.of(Ledgers.total(hour6, 5, 5), Ledgers.total(Ledgers.HOUR_7, 100, 0)),
            List.of(Ledgers.completion(Ledgers.HOUR_7))),
        List.of());

    assertThat(rows.of("tidemark_partitions"))
        .extracting(
            row -> text(row, "table_name"),
            row -> text(row, "hive_partition"),
            row -> text(row, "until_time"),
            row -> row.get("revision"),
            row -> text(row, "asked_at"),
            row -> row.get("records"),
            row -> row.get("late"))
        .containsExactly(
            tuple("default.orders", hour6.path(), "2026-11-21T08:00:00Z", 42L, "null", 5L, 5L),
            tuple(
                "default.orders",
                Ledgers.HOUR_7.path(),
                "2026-11-21T08:00:00Z",
                42L,
                "2026-11-21T08:05:00.100Z",
                100L,
                0L));
    assertThat(catalog.paths(new TableName("ledgers", "tidemark_partitions")))
        .containsExactly("log_id=sales/month=2026-11");
  }

  @Test
  void completeHivePartitionIsAnEmptyHivePartition() throws Exception {
    tables.show(
        Ledgers.reckoning(42, MORNING, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7))),
        List.of());

    String path = "table_name=default.orders/hive_partition=dt%3D2026-11-21%2Fhour%3D07";
    assertThat(catalog.paths(COMPLETE)).containsExactly(path);
    assertThat(memory.find(new StoragePath("/ledger/hive/complete/" + path))).isPresent();
    assertThat(rows.of("tidemark_complete")).isEmpty();
  }

  @Test
  void completionWhoseNameIsTooLongForOneDirectoryHoldsNothingUp() throws Exception {
    HivePartition wide =
        HivePartition.parse("a=" + "x".repeat(200) + "/b=" + "y".repeat(200) + "/hour=07");
    tables.show(
        Ledgers.reckoning(
            42,
            MORNING,
            List.of(),
            List.of(Ledgers.completion(wide), Ledgers.completion(Ledgers.HOUR_7))),
        List.of());

    assertThat(catalog.paths(COMPLETE)).hasSize(1);
    assertThat(rows.of("tidemark_partitions")).hasSize(2);
  }

  @Test
  void batchesHaveARowForEachHivePartition() throws Exception {
    tables.show(
        quiet(42),
        List.of(
            Ledgers.batch(118, Ledgers.SEVEN.toEpochMilli()),
            Ledgers.batch(119, -1),
            Ledgers.emptyBatch(120)));

    assertThat(rows.of("tidemark_batches"))
        .extracting(
            row -> row.get("entry"),
            row -> row.get("landed"),
            row -> row.get("not_delivered"),
            row -> text(row, "hive_partition"),
            row -> row.get("records"),
            row -> text(row, "min_time"),
            row -> text(row, "written_at"))
        .containsExactly(
            tuple(
                118L,
                47L,
                2L,
                Ledgers.HOUR_7.path(),
                47L,
                "2026-11-21T07:00:00.000Z",
                "2026-11-21T08:05:09.104Z"),
            tuple(119L, 47L, 2L, Ledgers.HOUR_7.path(), 47L, "null", "2026-11-21T08:05:09.104Z"),
            tuple(120L, 0L, 50L, "null", 0L, "null", "2026-11-21T08:05:09.104Z"));
    assertThat(catalog.paths(new TableName("ledgers", "tidemark_batches")))
        .containsExactly("log_id=sales/day=2026-11-21");
  }

  @Test
  void entryThatIsShownAgainChangesNothing() throws Exception {
    NumberedEntry<LedgerEntry> entry =
        Ledgers.reckoning(42, MORNING, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7)));
    tables.show(entry, List.of(Ledgers.batch(118, 0)));

    tables(Optional.of(catalog)).show(entry, List.of());

    assertThat(rows.of("tidemark_batches")).hasSize(1);
    assertThat(rows.of("tidemark_partitions")).hasSize(1);
    assertThat(rows.of("tidemark_watermarks")).hasSize(3);
  }

  /** When a reckoner stops at any point, another one shows the entry, and each row once. */
  @Test
  void entryIsShownWholeAfterAnyFault() throws Exception {
    NumberedEntry<LedgerEntry> entry =
        Ledgers.reckoning(42, MORNING, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7)));
    int faults = 0;
    for (boolean after : new boolean[] {false, true}) {
      for (int call = 1; ; call++) {
        MemoryStorage store = new MemoryStorage();
        MemoryCatalog hive = new MemoryCatalog();
        FaultyStorage faulty = new FaultyStorage(store);
        int[] left = {call};
        if (after) {
          faulty.failAfter(any -> --left[0] == 0);
        } else {
          faulty.failBefore(any -> --left[0] == 0);
        }
        boolean failed = false;
        try {
          of(faulty, hive).show(entry, List.of(Ledgers.batch(118, 0)));
        } catch (IOException e) {
          failed = true;
        }
        faulty.heal();
        of(faulty, hive).show(entry, List.of(Ledgers.batch(118, 0)));
        ShownRows shown = new ShownRows(store, hive);
        assertThat(shown.of("tidemark_batches")).hasSize(1);
        assertThat(shown.of("tidemark_partitions")).hasSize(1);
        assertThat(shown.of("tidemark_watermarks")).hasSize(3);
        assertThat(hive.paths(COMPLETE)).hasSize(1);
        if (!failed) {
          break;
        }
        faults++;
      }
    }
    assertThat(faults).isGreaterThan(10);
  }

  private static LedgerTables of(FaultyStorage storage, MemoryCatalog catalog) {
    return new LedgerTables(storage, Optional.of(catalog), "ledgers", FOLDERS);
  }

  @Test
  void claimsAndSnapshotsShowNothing() throws Exception {
    tables.show(
        new NumberedEntry<>(
            1,
            new LedgerEntry.Claim(UUID.randomUUID(), Ledgers.STATE, MORNING, "sales", "4711@w1")),
        List.of());

    assertThat(memory.find(LEDGER)).isEmpty();
    assertThat(catalog.exists(COMPLETE)).isFalse();
  }

  @Test
  void withoutCatalogTheWatermarksAreWrittenAlone() throws Exception {
    tables(Optional.empty())
        .show(
            Ledgers.reckoning(42, MORNING, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7))),
            List.of(Ledgers.batch(7, 0)));

    assertThat(ShownRows.in(memory, LEDGER.child("hive/watermarks/log_id=sales"))).hasSize(3);
    assertThat(memory.list(LEDGER.child("hive"))).hasSize(1);
    assertThat(tables(Optional.empty()).highestShown()).isEqualTo(42);
  }

  @Test
  void highestShownIsKnownWhateverWasShownLast() throws Exception {
    assertThat(tables.highestShown()).isZero();

    tables.show(quiet(42), List.of());
    assertThat(tables.highestShown()).isEqualTo(42);

    storage.failBefore(call -> call.contains("/watermarks/"));
    assertThatThrownBy(() -> tables.show(quiet(43), List.of(Ledgers.batch(7, 0))))
        .isInstanceOf(IOException.class);
    storage.heal();
    assertThat(tables.highestShown()).isEqualTo(43);
  }

  @Test
  void droppedTableIsMadeAgainByTheNextTry() throws Exception {
    tables.show(quiet(42), List.of());
    catalog.drop(new TableName("ledgers", "tidemark_batches"));
    tables.show(
        Ledgers.reckoning(43, MORNING, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7))),
        List.of());
    catalog.drop(COMPLETE);

    NumberedEntry<LedgerEntry> next =
        Ledgers.reckoning(44, MORNING, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7)));
    assertThatThrownBy(() -> tables.show(next, List.of()))
        .isInstanceOf(CatalogConflictException.class);
    tables.show(next, List.of());

    assertThat(catalog.paths(COMPLETE)).hasSize(1);
  }

  @Test
  void droppedTableOfOneHivePartitionIsMadeAgain() throws Exception {
    TableName watermarks = new TableName("ledgers", "tidemark_watermarks");
    tables.show(quiet(42), List.of());
    catalog.drop(watermarks);

    assertThatThrownBy(() -> tables.show(quiet(43), List.of()))
        .isInstanceOf(CatalogConflictException.class);
    tables.show(quiet(43), List.of());

    assertThat(catalog.paths(watermarks)).hasSize(1);
  }

  @Test
  void tableOfSomebodyElseIsRefused() throws Exception {
    catalog.registerTable(
        new TableDefinition(
            new TableName("ledgers", "tidemark_watermarks"),
            "memory:/elsewhere",
            LedgerTable.WATERMARKS.schema(),
            List.of("log_id"),
            Map.of()));

    assertThatThrownBy(() -> tables.show(quiet(42), List.of()))
        .isInstanceOf(CatalogConflictException.class);
  }

  private static String text(GenericRecord row, String field) {
    return String.valueOf(row.get(field));
  }
}
