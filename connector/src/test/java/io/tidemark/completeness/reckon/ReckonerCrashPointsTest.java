package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.show.SuccessFiles;
import io.tidemark.store.FaultyStorage;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.NumberedLog;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.table.TableName;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

/**
 * Fails every call that reckoners make to the store while two hours become complete, before or
 * after it takes effect, or lets the client repeat it. Afterwards the same reckoner continues, or
 * another one. Each hour must be completed once, with all of its records, and each batch must be
 * shown once.
 */
class ReckonerCrashPointsTest {
  private static final Instant NINE = EIGHT.plus(Duration.ofHours(1));

  @Test
  void reckonerGoesOnAfterAnyCallThatHadNoEffect() throws Exception {
    assertThat(tried(FaultyStorage::failBefore, false)).isGreaterThan(50);
  }

  @Test
  void reckonerGoesOnAfterAnyCallWhoseAnswerWasLost() throws Exception {
    assertThat(tried(FaultyStorage::failAfter, false)).isGreaterThan(40);
  }

  @Test
  void nextReckonerGoesOnAfterAnyCallThatHadNoEffect() throws Exception {
    assertThat(tried(FaultyStorage::failBefore, true)).isGreaterThan(50);
  }

  @Test
  void nextReckonerGoesOnAfterAnyCallWhoseAnswerWasLost() throws Exception {
    assertThat(tried(FaultyStorage::failAfter, true)).isGreaterThan(40);
  }

  @Test
  void reckonerGoesOnAfterAnyCallThatTheClientRepeated() throws Exception {
    assertThat(tried(FaultyStorage::repeat, false)).isGreaterThan(40);
  }

  @Test
  void nextReckonerGoesOnAfterAnyCallThatTheClientRepeated() throws Exception {
    assertThat(tried(FaultyStorage::repeat, true)).isGreaterThan(40);
  }

  /** The number of calls that failed, one in each run. */
  private static int tried(BiConsumer<FaultyStorage, Predicate<String>> fault, boolean replaced)
      throws Exception {
    int failed = 0;
    for (int call = 1; ; call++) {
      ReckonedWorld world = new ReckonedWorld();
      int[] calls = {0};
      String[] failing = {""};
      int at = call;
      Predicate<String> fails =
          name -> {
            boolean now = ++calls[0] == at;
            if (now) {
              failing[0] = name;
            }
            return now;
          };
      fault.accept(world.faulty(), fails);
      run(world, replaced);
      world.faulty().heal();
      if (failing[0].isEmpty()) {
        return failed;
      }
      failed++;
      verify(world, "call %d, %s".formatted(call, failing[0]));
    }
  }

  private static void run(ReckonedWorld world, boolean replaced) throws Exception {
    FakeAnnouncements announcements = world.announcements();
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask zero = world.task(0, "id");
    ReckonedTask one = world.task(1, "id");
    world.kafka().set("orders", "id", 100, 50);
    zero.landsBatch(SEVEN.plusSeconds(60), 60, "n");
    one.land(SEVEN.plusSeconds(60), 20);
    one.lands(SEVEN.plusSeconds(120), 30);
    world.at(EIGHT.plus(LATENESS));
    reckoner = go(world, reckoner, replaced, Duration.ofSeconds(20));
    zero.landsBatch(SEVEN.plusSeconds(120), 40, "n");
    announcements.announce("n", "\"orders\":100");
    announcements.announce("m", "\"orders\":1");
    reckoner = go(world, reckoner, replaced, Duration.ofSeconds(90));
    world.kafka().set("orders", "id", 110, 50);
    zero.lands(EIGHT.plusSeconds(60), 10);
    world.at(NINE.plus(LATENESS));
    go(world, reckoner, replaced, Duration.ofMinutes(7));
  }

  /** Continues for a time. After a failure another reckoner continues if {@code replaced}. */
  private static Reckoner go(
      ReckonedWorld world, Reckoner reckoner, boolean replaced, Duration time) {
    Instant until = world.now().plus(time);
    Reckoner current = reckoner;
    while (world.now().isBefore(until)) {
      try {
        world.at(world.now().plus(current.cycle()));
      } catch (Exception e) {
        if (replaced) {
          current = world.reckoner("w2");
        }
        world.at(world.now().plusSeconds(1));
      }
    }
    return current;
  }

  private static void verify(ReckonedWorld world, String fault) throws Exception {
    assertThat(world.through(ReckonedWorld.ORDERS.toString()).orElseThrow())
        .as(fault)
        .isAfterOrEqualTo(NINE);
    verifyBatches(world, fault);
    SuccessFiles manifests = new SuccessFiles(world.storage());
    List<Long> records = new ArrayList<>();
    for (Instant hour : List.of(SEVEN, EIGHT)) {
      records.add(
          manifests
              .read(ReckonedWorld.TABLE.layout().partitionDirectory(ReckonedWorld.hour(hour)))
              .orElseThrow()
              .completion()
              .total()
              .records());
    }
    assertThat(records).as(fault).containsExactly(150L, 10L);
    assertThat(completions(world)).as(fault).containsExactly("150 false", "10 false");
    assertThat(world.complete()).as(fault).hasSize(2);
    assertThat(batches(world))
        .as(fault)
        .containsExactlyInAnyOrder("0-1", "0-2", "0-3", "1-1", "1-2");
    // Each name once: nobody sends the events here, so a copy would have the same name.
    assertThat(world.events().stream().map(ReckonerCrashPointsTest::withoutNumber))
        .as(fault)
        .contains(
            "batch/batch/orders-0/1/default.orders/0",
            "batch/batch/orders-0/2/default.orders/0",
            "batch/batch/orders-0/3/default.orders/0",
            "batch/batch/orders-1/1/default.orders/0",
            "batch/batch/orders-1/2/default.orders/0",
            "completion/hive-partition/default.orders/dt=2026-11-21/hour=07",
            "completion/hive-partition/default.orders/dt=2026-11-21/hour=08",
            "completion/table/default.orders")
        .filteredOn(event -> !event.startsWith("completion/table"))
        .hasSize(7)
        .doesNotHaveDuplicates();
    assertThat(world.storage().list(world.folders().inbox()))
        .as(fault)
        .filteredOn(file -> !file.path().name().endsWith(".tmp"))
        .isEmpty();
  }

  private static void verifyBatches(ReckonedWorld world, String fault) throws Exception {
    AnnouncementsState state = world.ledger().state().announcements().orElseThrow();
    assertThat(state.position()).as(fault).containsExactly(2L);
    assertThat(state.counted()).as(fault).isEmpty();
    assertThat(state.open().values())
        .as(fault)
        .extracting(
            batch -> batch.countedRecords().landed() + " of " + batch.announcedRecords(),
            AnnouncedBatch::complete)
        .containsExactly(tuple("0 of 1", false), tuple("100 of 100", true));
  }

  /** An id without the log and the number of the ledger's entry: {@code sales/42/}. */
  private static String withoutNumber(String id) {
    return id.substring(id.indexOf('/', "sales/".length()) + 1);
  }

  private static List<String> completions(ReckonedWorld world) throws Exception {
    List<String> all = new ArrayList<>();
    for (NumberedEntry<LedgerEntry> entry :
        new NumberedLog<>(world.storage(), world.folders().log(), LedgerEntry.FORMAT).all()) {
      entry
          .entry()
          .asReckoning()
          .ifPresent(
              reckoning ->
                  reckoning.completions().stream()
                      .map(completion -> completion.total())
                      .forEach(total -> all.add(total.records() + " " + total.partial())));
    }
    return all;
  }

  /** The rows of {@code tidemark_batches}, as topic-partition and entry. */
  static List<String> batches(ReckonedWorld world) throws Exception {
    TableName table = new TableName("ledgers", "tidemark_batches");
    List<String> rows = new ArrayList<>();
    for (HivePartition partition : world.catalog().partitions(table)) {
      var directory = ReckonedWorld.LEDGER.child("hive/batches").child(partition.path());
      for (var file : world.storage().list(directory)) {
        if (!file.path().name().endsWith(".avro")) {
          continue;
        }
        try (InputStream in = world.storage().open(file.path());
            DataFileStream<GenericRecord> stream =
                new DataFileStream<>(in, new GenericDatumReader<>())) {
          stream.forEach(row -> rows.add(row.get("topic_partition") + "-" + row.get("entry")));
        }
      }
    }
    return rows;
  }
}
