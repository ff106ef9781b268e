package io.tidemark.completeness.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LedgerCompactionTest {
  private static final StoragePath LEDGER = new StoragePath("/ledger");
  private static final LedgerDirectories FOLDERS = new LedgerDirectories(LEDGER, "sales");
  private static final StoragePath SINGLES =
      LEDGER.child("hive/batches/log_id=sales/day=2026-11-21");
  private static final StoragePath MERGED =
      LEDGER.child("hive/compacted/batches/log_id=sales/day=2026-11-21");
  private static final TableName BATCHES = new TableName("ledgers", "tidemark_batches");
  private static final Instant MORNING = Instant.parse("2026-11-21T08:05:09.104Z");
  private static final Instant DAY_OVER = Instant.parse("2026-11-22T01:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private Instant now = MORNING;
  private final InstantSource clock = () -> now;
  private final MemoryStorage memory = new MemoryStorage(clock.withZone(ZoneOffset.UTC));
  private final FaultyStorage storage = new FaultyStorage(memory);
  private final MemoryCatalog catalog = new MemoryCatalog();
  private final ShownRows rows = new ShownRows(memory, catalog);
  private final LedgerTables tables =
      new LedgerTables(memory, Optional.of(catalog), "ledgers", FOLDERS);
  private final LedgerCompaction compaction =
      new LedgerCompaction(
          new LedgerTables(storage, Optional.of(catalog), "ledgers", FOLDERS), Duration.ofDays(90));

  private void show(long number) throws Exception {
    tables.show(
        Ledgers.reckoning(number, now, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7))),
        List.of(Ledgers.batch(number, 0)));
  }

  /** The numbers of the entries that have rows in the table of batches. */
  private List<Object> shownBatches() throws IOException {
    return rows.of("tidemark_batches").stream().map(row -> row.get("entry")).sorted().toList();
  }

  private static List<Object> numbers(long to) {
    return LongStream.rangeClosed(1, to).<Object>mapToObj(number -> number).toList();
  }

  private List<String> names(StoragePath directory) throws IOException {
    return memory.list(directory).stream().map(file -> file.path().name()).toList();
  }

  @Test
  void watermarksOfTheLastHourStayAndTheNewestAlways() throws Exception {
    StoragePath watermarks = LEDGER.child("hive/watermarks/log_id=sales");
    for (long number = 1; number <= 5; number++) {
      show(number);
      now = now.plus(Duration.ofMinutes(25));
    }
    compaction.compact(now);
    assertThat(names(watermarks))
        .containsExactly(RowFile.name(3), RowFile.name(4), RowFile.name(5));

    now = now.plus(Duration.ofDays(3));
    compaction.compact(now);
    assertThat(names(watermarks)).as("while nothing comes").hasSize(3);

    show(6);
    compaction.compact(now);
    assertThat(names(watermarks)).containsExactly(RowFile.name(6));
  }

  @Test
  void dayThatIsNotOverStays() throws Exception {
    show(1);
    show(2);
    compaction.compact(DAY_OVER.minusMillis(1));

    assertThat(names(SINGLES)).hasSize(2);
    assertThat(memory.find(MERGED)).isEmpty();
    assertThat(shownBatches()).isEqualTo(numbers(2));
  }

  @Test
  void dayThatIsOverBecomesOneFileAndItsSingleFilesGoAfterTwoDays() throws Exception {
    for (long number = 1; number <= 4; number++) {
      show(number);
    }
    now = DAY_OVER;
    compaction.compact(now);

    String fold = "00000000000000000004";
    assertThat(catalog.location(BATCHES, LedgerTable.BATCHES.partition("sales", "2026-11-21")))
        .contains("memory:" + MERGED.child(fold));
    assertThat(names(MERGED.child(fold))).containsExactly(fold + ".avro");
    assertThat(shownBatches()).isEqualTo(numbers(4));
    assertThat(names(SINGLES)).as("for queries that have begun").hasSize(4);

    now = now.plus(Duration.ofDays(2)).minusMillis(1);
    compaction.compact(now);
    assertThat(names(SINGLES)).hasSize(4);
    now = now.plusMillis(1);
    compaction.compact(now);
    assertThat(memory.find(SINGLES)).isEmpty();
    assertThat(shownBatches()).isEqualTo(numbers(4));
  }

  @Test
  void monthThatIsOverBecomesOneFile() throws Exception {
    show(1);
    show(2);
    now = Instant.parse("2026-12-01T00:59:59Z");
    compaction.compact(now);
    assertThat(memory.find(LEDGER.child("hive/compacted/partitions"))).isEmpty();
    now = now.plusSeconds(1);
    compaction.compact(now);

    assertThat(memory.find(LEDGER.child("hive/compacted/partitions/log_id=sales/month=2026-11")))
        .isPresent();
    assertThat(rows.of("tidemark_partitions")).hasSize(2);
  }

  @Test
  void fileThatComesLateBeginsTheNextFold() throws Exception {
    show(1);
    show(2);
    now = DAY_OVER;
    compaction.compact(now);
    Instant midnight = now;
    now = MORNING;
    show(3);
    now = midnight.plus(HOUR);
    assertThat(shownBatches()).as("not yet").isEqualTo(numbers(2));

    compaction.compact(now);
    assertThat(shownBatches()).isEqualTo(numbers(3));
    assertThat(names(MERGED)).hasSize(2);

    now = now.plus(Duration.ofDays(2));
    compaction.compact(now);
    assertThat(names(MERGED)).hasSize(1);
    assertThat(shownBatches()).isEqualTo(numbers(3));
  }

  @Test
  void hivePartitionThatSomebodyDroppedBeforeTheFoldIsThereAgain() throws Exception {
    show(1);
    catalog.drop(BATCHES);
    now = DAY_OVER;
    compaction.compact(now);

    assertThat(shownBatches()).isEqualTo(numbers(1));
  }

  @Test
  void batchesGoWhenTheirRetentionIsOver() throws Exception {
    show(1);
    now = DAY_OVER;
    compaction.compact(now);
    Instant end = Instant.parse("2026-11-22T00:00:00Z").plus(Duration.ofDays(90));

    now = end;
    compaction.compact(now);
    assertThat(shownBatches()).isEqualTo(numbers(1));
    now = end.plusMillis(1);
    compaction.compact(now);

    assertThat(catalog.paths(BATCHES)).isEmpty();
    assertThat(memory.find(MERGED)).isEmpty();
    assertThat(memory.find(SINGLES)).isEmpty();
    assertThat(rows.of("tidemark_partitions")).as("these stay").hasSize(1);
  }

  @Test
  void fileThatTheStoreHasLostDoesNotKeepOldBatches() throws Exception {
    show(1);
    storage.failBefore(call -> call.startsWith("open " + SINGLES));
    now = DAY_OVER;
    assertThatThrownBy(() -> compaction.compact(now)).isInstanceOf(IOException.class);

    now = Instant.parse("2026-11-22T00:00:00.001Z").plus(Duration.ofDays(90));
    compaction.compact(now);
    assertThat(catalog.paths(BATCHES)).isEmpty();
    assertThat(memory.find(SINGLES)).isEmpty();
    assertThat(rows.of("tidemark_partitions")).hasSize(1);
  }

  /** Hive still has the Hive partitions, and its queries need their directories. */
  @Test
  void fileThatTheStoreHasLostDelaysOnlyTheMergeOfItsDay() throws Exception {
    show(1);
    now = now.plus(Duration.ofDays(1));
    show(2);
    now = Instant.parse("2026-12-01T01:00:00Z");
    String lost = SINGLES.child(RowFile.name(1)).value();
    storage.lose(file -> file.value().equals(lost));

    assertThatThrownBy(() -> compaction.compact(now))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(lost)
        .hasMessageContaining("restore it from a copy, or remove it");
    assertThat(memory.find(MERGED.parent().child("day=2026-11-22"))).isPresent();
    assertThat(shownBatches()).isEqualTo(numbers(2));
    assertThatThrownBy(() -> compaction.compact(now)).hasMessageContaining(lost);
    assertThat(names(MERGED.child("00000000000000000001"))).as("of the last attempt").hasSize(1);

    memory.delete(SINGLES.child(RowFile.name(1)));
    compaction.compact(now);
    assertThat(shownBatches()).containsExactly(2L);
  }

  @Test
  void fileOfAMonthThatTheStoreHasLostDelaysNoMergeOfBatches() throws Exception {
    show(1);
    now = Instant.parse("2026-12-01T01:00:00Z");
    storage.lose(file -> file.value().contains("/month=2026-11/"));

    assertThatThrownBy(() -> compaction.compact(now)).hasMessageContaining("/month=2026-11/");
    assertThat(memory.find(MERGED)).isPresent();
  }

  @Test
  void batchesGoAlsoAfterHiveIntegrationWasSwitchedOff() throws Exception {
    show(1);
    now = DAY_OVER;
    compaction.compact(now);
    show(2);
    LedgerCompaction withoutHive =
        new LedgerCompaction(
            new LedgerTables(storage, Optional.empty(), "ledgers", FOLDERS), Duration.ofDays(90));
    Instant end = Instant.parse("2026-11-22T00:00:00Z").plus(Duration.ofDays(90));

    now = end;
    withoutHive.compact(now);
    assertThat(shownBatches()).isEqualTo(numbers(2));
    now = end.plusMillis(1);
    withoutHive.compact(now);
    assertThat(shownBatches()).containsExactly(2L);
    now = end.plus(Duration.ofDays(1)).plusMillis(1);
    withoutHive.compact(now);
    assertThat(shownBatches()).isEmpty();
    for (String path : catalog.paths(BATCHES)) {
      String location = catalog.location(BATCHES, HivePartition.parse(path)).orElseThrow();
      assertThat(memory.find(new StoragePath(location.substring("memory:".length()))))
          .as(path)
          .isPresent();
    }
    assertThat(rows.of("tidemark_partitions")).as("these stay").hasSize(2);

    compaction.compact(now);
    assertThat(catalog.paths(BATCHES)).as("once Hive integration is on again").isEmpty();
    assertThat(memory.find(MERGED)).isEmpty();
    assertThat(memory.find(SINGLES)).isEmpty();
  }

  @Test
  void foldWithNothingShownIsHarmless() {
    assertThatCode(() -> compaction.compact(now)).doesNotThrowAnyException();
  }

  /** A query finds each row once at every moment, after any failure and any number of failures. */
  @Test
  void rowsAreSeenOnceWhateverFails() throws Exception {
    int faults = 0;
    for (boolean after : new boolean[] {false, true}) {
      for (int call = 1; ; call++) {
        LedgerCompactionTest world = new LedgerCompactionTest();
        boolean failed = world.foldsWithOneFault(call, after);
        if (!failed) {
          break;
        }
        faults++;
      }
    }
    assertThat(faults).isGreaterThan(20);
  }

  private boolean foldsWithOneFault(int call, boolean after) throws Exception {
    for (long number = 1; number <= 3; number++) {
      show(number);
    }
    now = DAY_OVER;
    int[] left = {call};
    if (after) {
      storage.failAfter(any -> --left[0] == 0);
    } else {
      storage.failBefore(any -> --left[0] == 0);
    }
    boolean failed = false;
    for (int hour = 0; hour < 51; hour += 25) {
      try {
        compaction.compact(now);
      } catch (IOException e) {
        failed = true;
      }
      assertThat(shownBatches()).as("call %d, hour %d", call, hour).isEqualTo(numbers(3));
      now = now.plus(Duration.ofHours(25));
    }
    storage.heal();
    compaction.compact(now);
    now = now.plus(Duration.ofDays(2));
    compaction.compact(now);
    assertThat(shownBatches()).isEqualTo(numbers(3));
    assertThat(memory.find(SINGLES)).isEmpty();
    return failed;
  }
}
