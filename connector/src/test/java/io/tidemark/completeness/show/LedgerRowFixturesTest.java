package io.tidemark.completeness.show;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.GroupState;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerExamples;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.MemoryStorage;
import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.MemoryCatalog;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Rows and events of a ledger, in version 1: every later build reads them. The files are never
 * changed. Missing ones are written as {@code LedgerFixturesTest} describes.
 */
class LedgerRowFixturesTest {
  private static final Path FIXTURES =
      Path.of("src", "test", "resources", "fixtures", "ledger-rows-version-1");

  private static final Instant WRITTEN = Ledgers.ASKED.plusSeconds(5);
  private static final LedgerDirectories FOLDERS =
      new LedgerDirectories(new StoragePath("/ledger"), "sales");
  private static final String FILE = "00000000000000000042.avro";
  private static final StoragePath WATERMARKS = rows("watermarks/log_id=sales");
  private static final StoragePath PARTITIONS = rows("partitions/log_id=sales/month=2026-11");
  private static final StoragePath BATCHES = rows("batches/log_id=sales/day=2026-11-21");
  private static final StoragePath EVENTS = FOLDERS.events().child(FILE);

  /** An entry of a ledger with announced batches, in which a table and a group advance. */
  private static final String LATER_FILE = "00000000000000000043.avro";

  private static final StoragePath LATER_WATERMARKS = WATERMARKS.parent().child(LATER_FILE);
  private static final StoragePath LATER_EVENTS = FOLDERS.events().child(LATER_FILE);

  private Instant now = WRITTEN;
  private final InstantSource clock = () -> now;
  private final MemoryStorage storage = new MemoryStorage(clock.withZone(ZoneOffset.UTC));
  private final MemoryCatalog catalog = new MemoryCatalog();
  private final LedgerTables tables =
      new LedgerTables(storage, Optional.of(catalog), "ledgers", FOLDERS);
  private final EventOutbox outbox = new EventOutbox(storage, FOLDERS);

  private static StoragePath rows(String hivePartition) {
    return FOLDERS.root().child("hive").child(hivePartition).child(FILE);
  }

  /** Puts the files of this build, and replaces them by the fixtures. */
  @BeforeEach
  void restoreFixtures() throws Exception {
    NumberedEntry<LedgerEntry> entry =
        Ledgers.reckoning(
            42,
            WRITTEN,
            List.of(Ledgers.total(Ledgers.HOUR_7, 5, 5)),
            List.of(Ledgers.completion(Ledgers.HOUR_7)));
    List<SettledEntry> taken = List.of(Ledgers.batch(118, 1_000), Ledgers.emptyBatch(119));
    tables.show(entry, taken);
    assertThat(outbox.put(Ledgers.STATE, entry, taken)).isTrue();
    restore(WATERMARKS, "watermarks.avro");
    restore(PARTITIONS, "partitions.avro");
    restore(BATCHES, "batches.avro");
    restore(EVENTS, "events.avro");
  }

  private void restoreLaterFixtures() throws Exception {
    NumberedEntry<LedgerEntry> later = later();
    tables.show(later, List.of());
    assertThat(outbox.put(LedgerState.initial(), later, List.of())).isTrue();
    restore(LATER_WATERMARKS, "watermarks-of-announced-batches.avro");
    restore(LATER_EVENTS, "events-of-groups.avro");
  }

  private static NumberedEntry<LedgerEntry> later() {
    LedgerState state =
        LedgerExamples.STATE.with(
            draft ->
                draft.groups =
                    new TreeMap<>(
                        Map.of(
                            "nightly",
                            new GroupState(
                                List.of("default.orders"),
                                Optional.of(Ledgers.SEVEN),
                                Optional.empty()))));
    HivePartitionTotal revised =
        new HivePartitionTotal(
            Ledgers.ORDERS,
            Ledgers.HOUR_7,
            Optional.of(Ledgers.SEVEN),
            Optional.of(Ledgers.EIGHT.plusNanos(1)),
            105,
            1_050,
            2,
            5,
            true);
    return new NumberedEntry<>(
        43,
        new LedgerEntry.Reckoning(
            UUID.randomUUID(),
            state,
            WRITTEN,
            new TreeMap<>(Map.of("orders", new Covering(12, new RecordCounts(47, 1, 0, 2, 3)))),
            List.of(),
            List.of(new Completion(revised, 12, Ledgers.ASKED))));
  }

  private void restore(StoragePath place, String fixture) throws IOException {
    Path path = FIXTURES.resolve(fixture);
    if (Boolean.getBoolean("tidemark.docs.write") && !Files.exists(path)) {
      Files.createDirectories(FIXTURES);
      try (InputStream in = storage.open(place)) {
        Files.write(path, in.readAllBytes());
      }
    }
    assertThat(storage.delete(place)).isTrue();
    try (OutputStream out = storage.create(place)) {
      out.write(Files.readAllBytes(path));
    }
  }

  /** The rows of a file, read as this build's. Only the fields that the file has are compared. */
  private List<String> read(StoragePath file, Schema schema) throws IOException {
    List<Schema.Field> fields;
    try (InputStream in = storage.open(file);
        DataFileStream<GenericRecord> written =
            new DataFileStream<>(in, new GenericDatumReader<>())) {
      fields = written.getSchema().getFields();
    }
    List<String> rows = new ArrayList<>();
    RowFile.read(
        storage,
        file,
        new GenericDatumReader<>(schema, schema),
        "",
        row -> rows.add(text(row, fields)));
    return rows;
  }

  private static String text(GenericRecord row, List<Schema.Field> fields) {
    List<String> values = new ArrayList<>();
    for (Schema.Field each : fields) {
      Object value = row.get(each.name());
      if (value != null) {
        values.add(each.name() + "=" + value);
      }
    }
    return String.join(" ", values);
  }

  @Test
  void watermarksAreRead() throws Exception {
    assertThat(read(WATERMARKS, LedgerTable.WATERMARKS.schema()))
        .containsExactly(
            "kind=topic name=orders complete_through=2026-11-21T08:00:00Z"
                + " asked_at=2026-11-21T08:05:00.100Z ledger_entry=42",
            "kind=table name=default.orders complete_through=2026-11-21T08:00:00Z"
                + " asked_at=2026-11-21T08:05:00.100Z ledger_entry=42",
            "kind=group name=sales held_because=NO_MEMBER default.payments@payments"
                + " ledger_entry=42");
  }

  @Test
  void watermarksOfAnnouncedBatchesAreRead() throws Exception {
    restoreLaterFixtures();
    assertThat(read(LATER_WATERMARKS, LedgerTable.WATERMARKS.schema()))
        .containsExactly(
            "kind=topic name=orders complete_through=2026-11-21T07:00:00Z"
                + " asked_at=2026-11-21T08:00:00.000Z"
                + " held_because=BEHIND orders-3: 1200 offsets behind ledger_entry=43",
            "kind=table name=default.orders complete_through=2026-11-21T07:00:00Z"
                + " asked_at=2026-11-21T08:00:00.000Z ledger_entry=43",
            "kind=group name=nightly complete_through=2026-11-21T07:00:00Z ledger_entry=43",
            "kind=batch name=nightly-21 asked_at=2026-11-21T08:00:00.000Z"
                + " held_because=CONTRADICTED the batch was announced twice with different"
                + " numbers, so the right ones are unknown. Announce it under another id"
                + " ledger_entry=43 announced=9007199254741102 landed=100 dead_lettered=7"
                + " skipped=3",
            "kind=batch name=nightly-22 \u00fc held_because=OPEN orders: no snapshot that was"
                + " taken after the announcement is covered yet, BEHIND orders-3: 1200 offsets"
                + " behind ledger_entry=43 announced=0 landed=0 dead_lettered=0 skipped=0");
  }

  @Test
  void eventsOfRevisionsTablesAndGroupsAreSent() throws Exception {
    restoreLaterFixtures();
    List<String> sent = sent(LATER_EVENTS);
    assertThat(sent)
        .containsExactly(
            "id=sales/43/revision/hive-partition/default.orders/dt=2026-11-21/hour=07"
                + " kind=revision subject=hive-partition log_id=sales ledger_entry=43"
                + " written_at=1795248305100 table_name=default.orders"
                + " hive_partition=dt=2026-11-21/hour=07 from_time=1795244400000"
                + " until_time=1795248000001 asked_at=1795248300100 snapshot=12 records=105"
                + " bytes=1050 files=2 late=5 partial=true hive_partitions=[]",
            "id=sales/43/completion/table/default.orders kind=completion subject=table"
                + " log_id=sales ledger_entry=43 written_at=1795248305100"
                + " table_name=default.orders complete_through=1795244400000"
                + " asked_at=1795248000000 landed=47 dead_lettered=1 skipped=0"
                + " not_delivered=2 lost=3 hive_partitions=[]",
            "id=sales/43/completion/group/nightly kind=completion subject=group log_id=sales"
                + " ledger_entry=43 written_at=1795248305100 group_name=nightly"
                + " complete_through=1795244400000 hive_partitions=[]");
    assertThat(read(LATER_EVENTS, LedgerEvents.EVENT)).isEqualTo(sent);
  }

  @Test
  void partitionsAreReadAlsoByTheHistory() throws Exception {
    assertThat(read(PARTITIONS, LedgerTable.PARTITIONS.schema()))
        .containsExactly(
            "table_name=default.orders hive_partition=dt=2026-11-21/hour=07"
                + " from_time=2026-11-21T07:00:00Z until_time=2026-11-21T08:00:00Z"
                + " revision=42 records=5 bytes=50 files=1 late=5 partial=false",
            "table_name=default.orders hive_partition=dt=2026-11-21/hour=07"
                + " from_time=2026-11-21T07:00:00Z until_time=2026-11-21T08:00:00Z"
                + " revision=42 asked_at=2026-11-21T08:05:00.100Z records=100 bytes=1000"
                + " files=1 late=0 partial=false");
    List<LedgerHistory.Row> history = new ArrayList<>();
    new LedgerHistory(storage, FOLDERS).forEach(Ledgers.ORDERS, history::add);
    assertThat(history)
        .containsExactlyInAnyOrder(
            new LedgerHistory.Row(Ledgers.HOUR_7.path(), 42, true, 100, 1_000, 1, false),
            new LedgerHistory.Row(Ledgers.HOUR_7.path(), 42, false, 5, 50, 1, false));
  }

  @Test
  void batchesAreReadAlsoWhenTheyAreMerged() throws Exception {
    List<String> rows = read(BATCHES, LedgerTable.BATCHES.schema());
    assertThat(rows)
        .containsExactly(
            "topic=orders topic_partition=3 generation=2 entry=118 first_offset=300"
                + " next_offset=350 landed=47 dead_lettered=1 skipped=0 not_delivered=2"
                + " lost=0 table_name=default.orders hive_partition=dt=2026-11-21/hour=07"
                + " records=47 bytes=470 files=1 min_time=1970-01-01T00:00:01.000Z"
                + " max_time=2026-11-21T08:00:00.000Z written_at=2026-11-21T08:05:05.100Z",
            "topic=orders topic_partition=3 generation=2 entry=119 first_offset=300"
                + " next_offset=350 landed=0 dead_lettered=0 skipped=0 not_delivered=50"
                + " lost=0 records=0 bytes=0 files=0 written_at=2026-11-21T08:05:05.100Z");

    now = WRITTEN.plus(Duration.ofDays(2));
    new LedgerCompaction(tables, Duration.ofDays(90)).compact(now);
    StoragePath merged = FOLDERS.root().child("hive/compacted/batches/log_id=sales/day=2026-11-21");
    assertThat(
            read(
                RowFile.newestMerged(storage, merged).orElseThrow().path(),
                LedgerTable.BATCHES.schema()))
        .isEqualTo(rows);
  }

  private List<String> sent(StoragePath events) throws Exception {
    List<String> sent = new ArrayList<>();
    outbox.send(
        storage.find(events).orElseThrow(),
        new EventTopic() {
          @Override
          public void send(List<Event> events) {
            events.forEach(
                event -> sent.add(text(event.value(), event.value().getSchema().getFields())));
          }

          @Override
          public void close() {}
        });
    return sent;
  }

  @Test
  void eventsAreSent() throws Exception {
    List<String> sent = sent(EVENTS);
    assertThat(sent)
        .containsExactly(
            "id=sales/42/batch/batch/orders-3/118/default.orders/0 kind=batch"
                + " subject=batch log_id=sales ledger_entry=42 written_at=1795248305100"
                + " table_name=default.orders records=47 bytes=470 files=1 landed=47"
                + " dead_lettered=1 skipped=0 not_delivered=2 lost=0 topic=orders"
                + " topic_partition=3 generation=2 entry=118 first_offset=300"
                + " next_offset=350 hive_partitions=[{\"hive_partition\":"
                + " \"dt=2026-11-21/hour=07\", \"records\": 47, \"bytes\": 470, \"files\": 1,"
                + " \"min_time\": 1000, \"max_time\": 1795248000000}] part=0 parts=1",
            "id=sales/42/batch/batch/orders-3/119/default.orders/0 kind=batch"
                + " subject=batch log_id=sales ledger_entry=42 written_at=1795248305100"
                + " table_name=default.orders records=0 bytes=0 files=0 landed=0"
                + " dead_lettered=0 skipped=0 not_delivered=50 lost=0 topic=orders"
                + " topic_partition=3 generation=2 entry=119 first_offset=300"
                + " next_offset=350 hive_partitions=[] part=0 parts=1",
            "id=sales/42/late/hive-partition/default.orders/dt=2026-11-21/hour=07"
                + " kind=late subject=hive-partition log_id=sales ledger_entry=42"
                + " written_at=1795248305100 table_name=default.orders"
                + " hive_partition=dt=2026-11-21/hour=07 from_time=1795244400000"
                + " until_time=1795248000000 records=5 bytes=50 files=1 late=5"
                + " partial=false hive_partitions=[]",
            "id=sales/42/completion/hive-partition/default.orders/dt=2026-11-21/hour=07"
                + " kind=completion subject=hive-partition log_id=sales ledger_entry=42"
                + " written_at=1795248305100 table_name=default.orders"
                + " hive_partition=dt=2026-11-21/hour=07 from_time=1795244400000"
                + " until_time=1795248000000 asked_at=1795248300100 snapshot=1 records=100"
                + " bytes=1000 files=1 late=0 partial=false hive_partitions=[]");
    assertThat(read(EVENTS, LedgerEvents.EVENT)).isEqualTo(sent);
  }
}
