package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.LEDGER;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.OperatorConsent;
import io.tidemark.store.table.LogIdentity;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableOwner;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A log that is older than the ledger, because it was restored from a copy or begun anew, with the
 * data files of its entries; and a ledger that is older than the log. Each entry has 10 records of
 * hour 07, and the ledger has read 10 of them.
 */
final class OlderLogTest {
  private static final String TABLE = ReckonedWorld.ORDERS.toString();
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

  private final ReckonedWorld world = new ReckonedWorld();
  private final ReckonedTask task = world.task(0, "id");
  private final ReckonedTask.Copy nothing = task.copy();
  private Reckoner reckoner = world.reckoner("w1");

  private void lands(int entries) throws Exception {
    for (int each = 0; each < entries; each++) {
      task.lands(SEVEN.plusSeconds(600), 10);
    }
  }

  /** Restores the log to entry 5, or removes it, and perhaps the ledger; lands entries again. */
  private void restore(String log, boolean ledger, int again) throws Exception {
    lands(5);
    world.kafka().set("orders", "id", 100);
    world.run(reckoner, Duration.ofMinutes(2));
    ReckonedTask.Copy five = task.copy();
    Map<StoragePath, byte[]> ledgerOfFive = copyOf(LEDGER);
    lands(5);
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(position()).isEqualTo(10);

    if (!log.equals("stays")) {
      task.restore(log.equals("copy") ? five : nothing);
    }
    if (ledger) {
      world.memory().deleteTree(LEDGER.child("logs"));
      put(ledgerOfFive);
      reckoner = world.reckoner("w2");
    }
    lands(again);
  }

  /** The checkpoint does not show which entries it replaced. */
  @ParameterizedTest
  @CsvSource({"5, false", "6, true"})
  void foldedBranchMakesTotalsPartialOnlyIfMoreRecordsLanded(int records, boolean partial)
      throws Exception {
    lands(5);
    world.kafka().set("orders", "id", 50);
    world.run(reckoner, Duration.ofMinutes(2));
    task.restore(nothing);
    List<SettledEntry> branch = new ArrayList<>();
    for (int entries = 0; entries < 10; entries++) {
      branch.add(task.land(SEVEN.plusSeconds(600), records));
    }
    task.fold();
    task.account(branch.get(9));
    world.kafka().set("orders", "id", 10L * records);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.holds()).isEmpty();
    assertThat(position()).isEqualTo(10);
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.ledger().totals().values())
        .singleElement()
        .satisfies(
            open -> {
              assertThat(open.total().records()).isEqualTo(50);
              assertThat(open.total().partial()).isEqualTo(partial);
            });
  }

  private long position() throws Exception {
    var at = world.ledger().state().topic("orders").at().get(0);
    return at == null ? 0 : at.number();
  }

  private Map<StoragePath, byte[]> copyOf(StoragePath directory) throws Exception {
    Map<StoragePath, byte[]> files = new TreeMap<>((a, b) -> a.value().compareTo(b.value()));
    for (StoredFile file : world.storage().list(directory)) {
      if (file.directory()) {
        files.putAll(copyOf(file.path()));
      } else {
        try (InputStream in = world.storage().open(file.path())) {
          files.put(file.path(), in.readAllBytes());
        }
      }
    }
    return files;
  }

  private void put(Map<StoragePath, byte[]> files) throws Exception {
    for (Map.Entry<StoragePath, byte[]> file : files.entrySet()) {
      if (file.getKey().value().startsWith(LEDGER.child("logs").value())) {
        world.storage().makeDirectories(file.getKey().parent());
        try (OutputStream out = world.storage().create(file.getKey())) {
          out.write(file.getValue());
        }
      }
    }
  }

  private List<Hold> gaps() throws Exception {
    return world.holds().stream().filter(hold -> hold.kind() == HoldKind.GAP).toList();
  }

  private long stated() throws Exception {
    return world.ledger().totals().values().stream()
        .map(OpenTotal::total)
        .mapToLong(total -> total.records())
        .sum();
  }

  private boolean isPartial() throws Exception {
    return world.ledger().totals().values().stream()
        .map(OpenTotal::total)
        .filter(total -> total.hivePartition().equals(ReckonedWorld.hour(SEVEN)))
        .allMatch(total -> total.partial());
  }

  /** Lands what Kafka has and the log has not, and lets an hour pass, in which tasks report. */
  private void landsTheRest() throws Exception {
    lands((int) ((100 - task.next()) / 10));
    world.run(reckoner, TEN_MINUTES);
    task.lands(EIGHT.plusSeconds(60), 1);
    world.kafka().set("orders", "id", Math.max(101, task.next()));
    world.run(reckoner, TEN_MINUTES);
  }

  /** The numbers are below, at and above the ledger's position. */
  @ParameterizedTest
  @CsvSource({
    "copy,1",
    "copy,3",
    "copy,4",
    "copy,5",
    "copy,6",
    "copy,9",
    "nothing,1",
    "nothing,9",
    "nothing,10",
    "nothing,11"
  })
  void logOlderThanTheLedgerIsAGapAndAfterItsAcknowledgementPartial(String log, int again)
      throws Exception {
    restore(log, false, again);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, TEN_MINUTES);

    assertThat(gaps()).hasSize(1);
    assertThat(world.through(TABLE).orElse(SEVEN)).isBefore(EIGHT);
    assertThat(world.isShown(SEVEN)).isFalse();

    acknowledge();
    world.run(reckoner, TEN_MINUTES);
    assertThat(world.through(TABLE).orElse(SEVEN))
        .as("no account is newer than the acknowledgement")
        .isBefore(EIGHT);
    assertThat(stated()).isZero();
    landsTheRest();

    assertThat(gaps()).isEmpty();
    assertThat(world.through(TABLE).orElseThrow()).isAfterOrEqualTo(EIGHT);
    assertThat(stated()).isPositive().isLessThanOrEqualTo(task.next());
    assertThat(isPartial()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"stays,0", "stays,3", "copy,1", "copy,5", "copy,9"})
  void ledgerThatIsNoNewerThanTheLogCountsEachEntryOnce(String log, int again) throws Exception {
    restore(log, true, again);
    landsTheRest();
    world.at(EIGHT.plus(LATENESS).plusSeconds(3600));
    world.run(reckoner, TEN_MINUTES);

    assertThat(gaps()).isEmpty();
    assertThat(world.through(TABLE).orElseThrow()).isAfterOrEqualTo(EIGHT);
    assertThat(stated()).isEqualTo(task.next());
    assertThat(isPartial()).isFalse();
  }

  /** The account that named it is gone, and the newer task does not know the former's entries. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void hivePartitionOfEntriesThatAreNotReadIsFoundByItsDirectory(boolean elsewhere)
      throws Exception {
    world.kafka().set("orders", "id", 100);
    lands(5);
    world.run(reckoner, Duration.ofMinutes(2));
    Map<StoragePath, byte[]> ledgerOfFive = copyOf(LEDGER);
    Instant six = SEVEN.minusSeconds(600);
    StoragePath directory =
        ReckonedWorld.TABLE.layout().partitionDirectory(ReckonedWorld.hour(six));
    world.storage().makeDirectories(directory);
    world.storage().create(directory.child("orders+0+g1+50+59.avro")).close();
    TableDefinition table = world.catalog().table(ReckonedWorld.ORDERS).orElseThrow();
    world.catalog().addPartitions(table, List.of(ReckonedWorld.hour(six)));
    if (elsewhere) {
      world.catalog().relocatePartition(table, ReckonedWorld.hour(six), "/elsewhere");
    }
    task.land(six, 10);
    for (int each = 0; each < 4; each++) {
      task.land(SEVEN.plusSeconds(600), 10);
    }
    task.fold();
    world.memory().deleteTree(LEDGER.child("logs"));
    put(ledgerOfFive);
    reckoner = world.reckoner("w2");
    SettledEntry last = task.land(SEVEN.plusSeconds(600), 10);
    world.kafka().set("orders", "id", task.next());
    LogPointer pointer =
        new LogPointer("orders", 0, last.number(), last.attempt(), last.number(), List.of());
    StoragePath unused =
        world
            .inbox()
            .put(
                new Account("sales", 0, "w2", new TreeMap<>(), List.of(pointer), List.of()),
                world.now());
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, TEN_MINUTES);

    assertThat(world.isShown(SEVEN)).isEqualTo(!elsewhere);
    assertThat(world.held(TABLE)).startsWith(elsewhere ? "UNSEEN" : "");
  }

  @ParameterizedTest
  @CsvSource({"1", "4", "5", "6"})
  void logBegunAnewIsAGapForARestoredLedgerToo(int again) throws Exception {
    restore("nothing", true, again);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, TEN_MINUTES);

    assertThat(gaps()).hasSize(1);
    assertThat(world.isShown(SEVEN)).isFalse();
  }

  @Test
  void olderLogIsFoundAlthoughNoAccountIsPut() throws Exception {
    restore("copy", false, 0);
    world.at(EIGHT.plus(LATENESS));
    world.run(world.reckoner("w2"), TEN_MINUTES);

    assertThat(gaps()).hasSize(1);
    assertThat(world.isShown(SEVEN)).isFalse();
  }

  @Test
  void gapEndsWhenTheLogHasTheEntryOfThePositionAgain() throws Exception {
    lands(10);
    world.kafka().set("orders", "id", 100);
    world.run(reckoner, Duration.ofMinutes(2));
    Map<StoragePath, byte[]> whole = copyOf(ReckonedWorld.LOGS);
    ReckonedTask.Copy ten = task.copy();
    task.restore(nothing);
    lands(1);
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(gaps()).hasSize(1);

    task.restore(nothing);
    putAll(whole);
    task.restore(ten);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, TEN_MINUTES);
    assertThat(gaps()).isEmpty();
    assertThat(stated()).isEqualTo(100);
    assertThat(isPartial()).isFalse();
  }

  @Test
  void positionsAreTestedOnceTheStoreIsAvailable() throws Exception {
    restore("copy", false, 0);
    reckoner = world.reckoner("w2");
    world.faulty().failBefore(call -> call.matches("list /logs/sales/orders/0"));
    assertThat(world.runOverFailures(reckoner, TEN_MINUTES)).isZero();
    assertThat(gaps()).isEmpty();
    world.faulty().heal();
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, TEN_MINUTES);

    assertThat(gaps()).hasSize(1);
    assertThat(world.isShown(SEVEN)).isFalse();
  }

  /** By a wrong logs.dir, or because the directory was moved away. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void otherLogDirectoryIsOneErrorAndNoGap(boolean exists) throws Exception {
    StoragePath directory = ReckonedWorld.LOGS.child("sales");
    LogOwner owner = new LogOwner("sales", "sales");
    UUID uuid = owner.establish(world.storage(), directory);
    new TableOwner(world.storage(), ReckonedWorld.TABLE.layout())
        .own("orders", new LogIdentity(uuid, "sales", "/logs/sales", "k"), OperatorConsent.NONE);
    lands(10);
    world.kafka().set("orders", "id", 100);
    world.run(reckoner, Duration.ofMinutes(2));
    Map<StoragePath, byte[]> away = copyOf(ReckonedWorld.LOGS);
    world.memory().deleteTree(directory);
    if (exists) {
      assertThat(owner.establish(world.storage(), directory)).isNotEqualTo(uuid);
    }
    world.at(EIGHT.plus(LATENESS));
    Reckoner second = world.reckoner("w2");

    assertThatThrownBy(() -> world.run(second, TEN_MINUTES))
        .isInstanceOf(CorruptLogException.class)
        .hasMessageContaining(exists ? "this log directory has UUID" : "there is no log directory")
        .hasMessageContaining("UUID " + uuid)
        .hasMessageContaining("logs.dir");
    assertThat(world.runOverFailures(second, TEN_MINUTES)).isPositive();
    assertThat(gaps()).isEmpty();
    assertThat(world.isShown(SEVEN)).isFalse();

    world.memory().deleteTree(directory);
    putAll(away);
    world.run(second, TEN_MINUTES);
    assertThat(gaps()).isEmpty();
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  private void putAll(Map<StoragePath, byte[]> files) throws Exception {
    for (Map.Entry<StoragePath, byte[]> file : files.entrySet()) {
      world.storage().makeDirectories(file.getKey().parent());
      try (OutputStream out = world.storage().create(file.getKey())) {
        out.write(file.getValue());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void gapOfAReleasedTopicRestartsTheTotals(boolean released) throws Exception {
    restore("copy", false, 1);
    world.kafka().set("orders", "id", 110);
    world.run(reckoner, Duration.ofMinutes(2));
    ReckonedTable configured = world.tables().get(0);
    if (released) {
      world.tables().set(0, new ReckonedTable(ReckonedWorld.TABLE, List.of("others")));
      world.run(reckoner, Duration.ofMinutes(1));
      OperatorRepairs.release(repair(world.now()), "orders", "ann", "moved");
      world.run(reckoner, Duration.ofMinutes(1));
    }
    acknowledge();
    world.run(reckoner, Duration.ofMinutes(1));
    world.tables().set(0, configured);
    for (int each = 0; each < 5; each++) {
      lands(1);
      world.run(reckoner, Duration.ofMinutes(2));
    }
    world.run(reckoner, Duration.ofMinutes(5));

    assertThat(stated()).isPositive().isLessThanOrEqualTo(task.next());
  }

  @Test
  void gapOfATopicThatIsDeletedLaterIsNamedUntilItIsAcknowledged() throws Exception {
    restore("copy", false, 1);
    world.run(reckoner, TEN_MINUTES);
    assertThat(world.held(TABLE)).startsWith("GAP orders-0");
    world.kafka().remove("orders");
    world.run(reckoner, TEN_MINUTES);
    OperatorRepairs.acknowledge(
        repair(world.now()), hold -> hold.kind() == HoldKind.DELETED, "ann", "known");
    world.at(world.now().plusSeconds(1));
    world.run(reckoner, TEN_MINUTES);
    assertThat(world.held(TABLE)).startsWith("GAP orders-0");

    acknowledge();
    world.run(reckoner, TEN_MINUTES);
    // The log's entries are read from the restored one on; what they lack is a hold of its own.
    assertThat(world.held(TABLE)).startsWith("DELETED orders-0").contains("offset 0");
  }

  @Test
  void acknowledgementByAClockThatIsAheadIsOfTheStoresTime() throws Exception {
    restore("copy", false, 1);
    world.run(reckoner, Duration.ofMinutes(2));
    List<Hold> acknowledged =
        OperatorRepairs.acknowledge(
            repair(world.now().plus(Duration.ofDays(1))),
            hold -> hold.kind() == HoldKind.GAP,
            "ann",
            "restored");
    assertThat(acknowledged).hasSize(1);
    world.run(reckoner, TEN_MINUTES);
    lands(1);
    world.run(reckoner, TEN_MINUTES);

    assertThat(position()).isPositive();
  }

  /** A copy of an account that was put before the acknowledgement comes late. */
  @Test
  void afterAnAcknowledgedGapNothingIsCountedTwice() throws Exception {
    world.announcements().announce("n", "\"orders\":100");
    reckoner = world.reckoner("w2");
    lands(2);
    task.landsBatch(SEVEN.plusSeconds(600), 60, "n");
    SettledEntry fourth = task.landBatch(SEVEN.plusSeconds(600), 20, "n");
    world.kafka().set("orders", "id", 120);
    task.account(fourth);
    world.run(reckoner, Duration.ofMinutes(2));
    task.restore(new ReckonedTask.Copy(3, task.next() - 20, task.counts().minus(landed(20))));
    task.landsBatch(SEVEN.plusSeconds(600), 20, "n");
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(gaps()).hasSize(1);

    acknowledge();
    task.account(fourth);
    task.landsBatch(SEVEN.plusSeconds(600), 20, "n");
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, TEN_MINUTES);

    assertThat(stated()).as("of 120 rows").isBetween(20L, 120L);
    assertThat(isPartial()).isTrue();
    AnnouncedBatch batch =
        world.ledger().state().announcements().orElseThrow().open().values().iterator().next();
    assertThat(batch.countedRecords().landed()).isLessThanOrEqualTo(100);
    assertThat(batch.complete()).isFalse();
    assertThat(batch.held(world.ledger().state().topics()).orElseThrow().reason())
        .isEqualTo("UNKNOWN");
  }

  /** No task continues the log of a deleted topic, so no account counts its records anew. */
  @Test
  void batchOfADeletedTopicIsNotCompleteAfterItsGapIsAcknowledged() throws Exception {
    world.announcements();
    reckoner = world.reckoner("w2");
    task.landsBatch(SEVEN.plusSeconds(600), 40, "n");
    ReckonedTask.Copy older = task.copy();
    task.landsBatch(SEVEN.plusSeconds(600), 20, "n");
    world.kafka().set("orders", "id", 60);
    world.run(reckoner, Duration.ofMinutes(2));
    task.restore(older); // The file of the 20 records was moved away.
    world.kafka().remove("orders");
    reckoner = world.reckoner("w3");
    world.run(reckoner, TEN_MINUTES);
    acknowledge();
    world.announcements().announce("n", "\"orders\":60");
    world.run(reckoner, TEN_MINUTES);

    AnnouncedBatch batch =
        Objects.requireNonNull(
            world.ledger().state().announcements().orElseThrow().open().get("n"));
    assertThat(batch.complete()).isFalse();
    assertThat(batch.held(world.ledger().state().topics()).orElseThrow().reason())
        .isEqualTo("UNKNOWN");
  }

  private static RecordCounts landed(long records) {
    return new RecordCounts(records, 0, 0, 0, 0);
  }

  private OperatorRepair repair(Instant now) {
    return new OperatorRepair(
        world.ledgerLog("cli"), world.ledgerTables(), Clock.fixed(now, ZoneOffset.UTC));
  }

  private void acknowledge() throws Exception {
    List<Hold> acknowledged =
        new ArrayList<>(
            OperatorRepairs.acknowledge(
                repair(world.now()), hold -> hold.kind() == HoldKind.GAP, "ann", "restored"));
    assertThat(acknowledged).hasSize(1);
    world.at(world.now().plusSeconds(1));
  }
}
