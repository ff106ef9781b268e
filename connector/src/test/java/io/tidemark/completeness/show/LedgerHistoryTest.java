package io.tidemark.completeness.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.table.MemoryCatalog;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerHistoryTest {
  private static final StoragePath LEDGER = new StoragePath("/ledger");
  private static final LedgerDirectories FOLDERS = new LedgerDirectories(LEDGER, "sales");

  private Instant now = Instant.parse("2026-11-21T08:05:09.104Z");
  private final InstantSource clock = () -> now;
  private final MemoryStorage storage = new MemoryStorage(clock.withZone(ZoneOffset.UTC));
  private final MemoryCatalog catalog = new MemoryCatalog();
  private final LedgerTables tables =
      new LedgerTables(storage, Optional.of(catalog), "ledgers", FOLDERS);
  private final LedgerCompaction compaction =
      new LedgerCompaction(
          new LedgerTables(storage, Optional.of(catalog), "ledgers", FOLDERS), Duration.ofDays(90));
  private final LedgerHistory history = new LedgerHistory(storage, FOLDERS);

  private void complete(long number) throws Exception {
    tables.show(
        Ledgers.reckoning(number, now, List.of(), List.of(Ledgers.completion(Ledgers.HOUR_7))),
        List.of());
  }

  private List<LedgerHistory.Row> rows(TableName table) throws IOException {
    List<LedgerHistory.Row> rows = new ArrayList<>();
    history.forEach(table, rows::add);
    return rows;
  }

  private List<Long> revisions() throws IOException {
    return rows(Ledgers.ORDERS).stream().map(LedgerHistory.Row::revision).toList();
  }

  @Test
  void completionsAndWhatCameLateAreRows() throws Exception {
    complete(1);
    tables.show(
        Ledgers.reckoning(2, now, List.of(Ledgers.total(Ledgers.HOUR_7, 5, 5)), List.of()),
        List.of());

    assertThat(rows(Ledgers.ORDERS))
        .containsExactly(
            new LedgerHistory.Row(Ledgers.HOUR_7.path(), 1, true, 100, 1_000, 1, false),
            new LedgerHistory.Row(Ledgers.HOUR_7.path(), 2, false, 5, 50, 1, false));
    assertThat(rows(new TableName("default", "others"))).isEmpty();
  }

  @Test
  void eachRowIsReadOnceWhateverIsFolded() throws Exception {
    complete(1);
    complete(2);
    now = Instant.parse("2026-12-01T01:00:00Z");
    compaction.compact(now);
    assertThat(revisions()).as("the single files are there, too").containsExactly(1L, 2L);

    complete(3); // of the next month
    now = now.plus(Duration.ofDays(3));
    compaction.compact(now);
    assertThat(revisions()).as("only the fold is there").containsExactly(1L, 2L, 3L);
  }

  @Test
  void ledgerThatHasShownNothingHasNoRows() throws Exception {
    assertThat(revisions()).isEmpty();
  }
}
