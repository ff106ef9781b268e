package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.LOGS;
import static io.tidemark.completeness.reckon.ReckonedWorld.ORDERS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static io.tidemark.completeness.reckon.ReckonedWorld.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableName;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that the store has and does not return: HDFS has lost a block, or data nodes are
 * unavailable. The reckoner cannot know which, so it waits.
 */
class UnreturnedFilesTest {
  private static final String ORDERS_NAME = ORDERS.toString();
  private static final Table PAYMENTS = ReckonedWorld.table("payments");
  private static final String PAYMENTS_NAME = PAYMENTS.name().toString();

  private static final TableName BATCHES = new TableName("ledgers", "tidemark_batches");

  private final ReckonedWorld world = new ReckonedWorld();
  private final ReckonedTask orders = world.task(0, "id");
  private final ReckonedTask payments = world.task(PAYMENTS, "payments", 0, "idp");
  private Reckoner reckoner = world.reckoner("w1");

  @BeforeEach
  void twoTablesHaveRecordsOfSeven() throws Exception {
    world.catalogHas(PAYMENTS);
    world.tables().add(new ReckonedTable(PAYMENTS, List.of("payments")));
    world.recorded(TABLE, "orders");
    world.recorded(PAYMENTS, "payments");
    orders.lands(SEVEN.plusSeconds(600), 40);
    payments.lands(SEVEN.plusSeconds(600), 50);
    produced(40);
  }

  private void produced(long records) {
    world.kafka().set("orders", "id", records);
    world.kafka().set("payments", "idp", 50);
    world.faulty().failWith(call -> new IOException("Could not obtain block: " + call));
  }

  private void isNotReturned(String file) {
    world.faulty().failBefore(call -> call.startsWith("open " + file));
  }

  private static String entry(int number) {
    return LOGS.child("sales/orders/0/%020d.json".formatted(number)).value();
  }

  private void runWithoutFailure(Duration time) {
    assertThat(world.runOverFailures(reckoner, time)).isZero();
  }

  private void sevenEnds() {
    world.at(EIGHT.plus(LATENESS));
  }

  private boolean isPaymentsShown(Instant hour) throws Exception {
    return world
        .storage()
        .find(PAYMENTS.layout().partitionDirectory(ReckonedWorld.hour(hour)).child("_SUCCESS"))
        .isPresent();
  }

  private void sevenIsCompleteWith(long records, boolean partial) throws Exception {
    assertThat(world.held(ORDERS_NAME)).isEmpty();
    assertThat(world.holds()).isEmpty();
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.ledger().totals().values())
        .filteredOn(open -> open.total().table().equals(ORDERS))
        .singleElement()
        .satisfies(
            open -> {
              assertThat(open.total().records()).isEqualTo(records);
              assertThat(open.total().partial()).isEqualTo(partial);
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void entryLetsOnlyItsTableWait(int number) throws Exception {
    orders.lands(SEVEN.plusSeconds(700), 60);
    produced(100);
    isNotReturned(entry(number));
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(31));

    assertThat(world.through(PAYMENTS_NAME)).contains(EIGHT.plus(Duration.ofMinutes(30)));
    assertThat(isPaymentsShown(SEVEN)).isTrue();
    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.held(ORDERS_NAME))
        .startsWith("DAMAGED orders-0: the store does not return a file of the log: ")
        .contains("Could not obtain block: open " + entry(number))
        .contains("restore it from a copy");
    assertThat(world.ledger().number()).as("entries do not multiply").isLessThan(25);

    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(2));
    sevenIsCompleteWith(100, false);
  }

  /** This is what the reason says. */
  @Test
  void entryThatAnOperatorRemovesIsPassedAfterTenMinutes() throws Exception {
    orders.lands(SEVEN.plusSeconds(700), 60);
    produced(100);
    isNotReturned(entry(1));
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(20));
    assertThat(world.storage().delete(new StoragePath(entry(1)))).isTrue();
    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(9));
    assertThat(world.held(ORDERS_NAME)).startsWith("DAMAGED").contains("entry 1 is missing");
    runWithoutFailure(Duration.ofMinutes(3));

    sevenIsCompleteWith(60, true);
  }

  @Test
  void checkpointLetsOnlyItsTableWait() throws Exception {
    orders.fold();
    orders.lands(SEVEN.plusSeconds(700), 60);
    produced(100);
    isNotReturned(LOGS.child("sales/orders/0/%020d.checkpoint.json".formatted(1)).value());
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(31));
    assertThat(isPaymentsShown(SEVEN)).isTrue();
    assertThat(world.held(ORDERS_NAME)).startsWith("DAMAGED orders-0");

    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(2));
    sevenIsCompleteWith(60, true);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void outageOfAllDataNodesMakesNothingPartial(boolean restarted) throws Exception {
    world.run(reckoner, Duration.ofMinutes(2));
    orders.lands(SEVEN.plusSeconds(700), 60);
    orders.lands(SEVEN.plusSeconds(800), 60);
    produced(160);
    world.faulty().failBefore(call -> call.startsWith("open") || call.startsWith("create"));
    reckoner = restarted ? world.reckoner("w2") : reckoner;
    sevenEnds();
    assertThat(world.runOverFailures(reckoner, Duration.ofMinutes(40))).isPositive();

    world.faulty().heal();
    assertThat(world.isShown(SEVEN)).isFalse();
    runWithoutFailure(Duration.ofMinutes(2));
    sevenIsCompleteWith(160, false);
    assertThat(isPaymentsShown(SEVEN)).isTrue();
  }

  /** The data nodes with the blocks of orders come back half an hour after the others. */
  @Test
  void outageOfSomeDataNodesMakesNothingPartial() throws Exception {
    orders.land(SEVEN.plusSeconds(700), 60);
    orders.lands(SEVEN.plusSeconds(800), 60);
    produced(160);
    world.faulty().failBefore(call -> call.startsWith("open") || call.startsWith("create"));
    sevenEnds();
    assertThat(world.runOverFailures(reckoner, Duration.ofMinutes(15))).isPositive();
    isNotReturned(entry(2));
    runWithoutFailure(Duration.ofMinutes(30));
    assertThat(world.isShown(SEVEN)).isFalse();

    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(2));
    sevenIsCompleteWith(160, false);
  }

  /** A reckoner tests all logs after its claim, and later only every 6 hours. */
  @Test
  void logThatCouldNotBeTestedAfterTheClaimIsTestedLater() throws Exception {
    ReckonedTask.Copy copy = orders.copy();
    orders.lands(SEVEN.plusSeconds(700), 60);
    produced(100);
    world.run(reckoner, Duration.ofMinutes(11));
    orders.restore(copy);
    SettledEntry other = orders.land(SEVEN.plusSeconds(800), 60);
    assertThat(other.number()).isEqualTo(2);
    reckoner = world.reckoner("w2");
    isNotReturned(entry(2));
    runWithoutFailure(Duration.ofMinutes(2));
    assertThat(world.holds()).isEmpty();

    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(2));
    assertThat(world.holds()).extracting(Hold::kind).containsExactly(HoldKind.GAP);
  }

  @Test
  void layoutLetsOnlyItsTableWait() throws Exception {
    isNotReturned(TABLE.layout().metadataDirectory().child("layout.json").value());
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(31));

    assertThat(isPaymentsShown(SEVEN)).isTrue();
    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.held(ORDERS_NAME)).startsWith("DAMAGED orders-0: the layout of a table");
    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(2));
    sevenIsCompleteWith(40, false);
  }

  /** The reckoner registers the files of a topic-partition that is gone. */
  @Test
  void schemaLetsOnlyItsTableWait() throws Exception {
    new MarkerFiles(world.storage(), TABLE.layout())
        .landsWithoutCatalog(
            new StagingDirectories(world.storage(), "sales", new TopicPartition("orders", 7))
                .ofClaim(1, UUID.randomUUID()));
    StoragePath six = TABLE.layout().partitionDirectory(ReckonedWorld.hour(SEVEN.minusSeconds(1)));
    world.storage().makeDirectories(six);
    world.storage().create(six.child("orders+7+g1+0+9.avro")).close();
    isNotReturned(
        TABLE.layout().metadataDirectory().child("schemas").child("0000000001.avsc").value());
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(31));

    assertThat(isPaymentsShown(SEVEN)).isTrue();
    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.held(ORDERS_NAME))
        .startsWith("NOT_REGISTERED orders: default.orders has files that landed without a catalog")
        .contains("0000000001.avsc")
        .contains("restore it from a copy");
    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(2));
    sevenIsCompleteWith(40, false);
    assertThat(world.catalog().paths(ORDERS)).contains("dt=2026-11-21/hour=06");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/topics/orders/.tidemark/layout.json", "/logs/sales/+tables/"})
  void layoutOfAFormerTableLetsOnlyThatTableWait(String file) throws Exception {
    world.run(reckoner, Duration.ofMinutes(2));
    SettledEntry last = orders.land(SEVEN.plusSeconds(700), 60);
    produced(100);
    world.tables().remove(0);
    reckoner = world.reckoner("w2");
    isNotReturned(file);
    runWithoutFailure(Duration.ofMinutes(2));
    orders.account(last);
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(31));

    assertThat(isPaymentsShown(SEVEN)).isTrue();
    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.held(ORDERS_NAME)).startsWith("DAMAGED orders-0: the layout of a table");
    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(3));
    sevenIsCompleteWith(100, false);
  }

  @Test
  void emptyHoursContinueWhereTheyWereOnceTheLayoutIsReturned() throws Exception {
    world
        .tables()
        .set(0, new ReckonedTable(ReckonedWorld.withEmpties(TABLE, true), List.of("orders")));
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(2));
    assertThat(world.isShown(SEVEN)).isTrue();

    isNotReturned(TABLE.layout().metadataDirectory().child("layout.json").value());
    reckoner = world.reckoner("w2");
    world.at(EIGHT.plusSeconds(7200).plus(LATENESS));
    runWithoutFailure(Duration.ofMinutes(2));
    assertThat(world.isShown(EIGHT)).isFalse();

    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(6));
    assertThat(world.isShown(EIGHT)).isTrue();
    assertThat(world.isShown(EIGHT.plusSeconds(3600))).isTrue();
  }

  /** A reckoner was stopped after it had appended the completions of seven. */
  private void sevenIsCompleteAndNotShown() throws Exception {
    sevenEnds();
    world.faulty().failBefore(call -> call.startsWith("create") && call.contains("_SUCCESS"));
    assertThat(world.runOverFailures(reckoner, Duration.ofMinutes(2))).isPositive();
    assertThat(world.through(PAYMENTS_NAME)).contains(EIGHT);
    reckoner = world.reckoner("w2");
  }

  @Test
  void entryThatIsInTheLedgerDelaysOnlyRowsOfBatchesAndEvents() throws Exception {
    sevenIsCompleteAndNotShown();
    isNotReturned(entry(1));
    runWithoutFailure(Duration.ofMinutes(31));

    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(isPaymentsShown(SEVEN)).isTrue();
    assertThat(world.complete()).hasSize(2);
    assertThat(world.through(PAYMENTS_NAME)).contains(EIGHT.plus(Duration.ofMinutes(30)));
    assertThat(world.catalog().paths(BATCHES)).isEmpty();
    assertThat(world.events()).isEmpty();
    assertThat(reckoner.health().problem().orElseThrow())
        .contains("Could not obtain block: open " + entry(1))
        .contains("restore it from a copy");

    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(2));
    assertThat(reckoner.health().problem()).isEmpty();
    assertThat(world.catalog().paths(BATCHES)).containsExactly("log_id=sales/day=2026-11-21");
    assertThat(world.events())
        .doesNotHaveDuplicates()
        .anyMatch(id -> id.contains("/batch/batch/orders-0/1/"))
        .anyMatch(id -> id.contains("/batch/batch/payments-0/1/"))
        .filteredOn(id -> id.contains("/completion/table/default.payments"))
        .hasSize(7);
    sevenIsCompleteWith(40, false);
  }

  /** This is what the problem says. */
  @Test
  void entryThatAnOperatorRemovesDelaysNothing() throws Exception {
    sevenIsCompleteAndNotShown();
    isNotReturned(entry(1));
    runWithoutFailure(Duration.ofMinutes(2));
    assertThat(world.storage().delete(new StoragePath(entry(1)))).isTrue();
    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(2));

    assertThat(reckoner.health().problem()).isEmpty();
    assertThat(world.events())
        .noneMatch(id -> id.contains("/batch/batch/orders-0/1/"))
        .anyMatch(id -> id.contains("/batch/batch/payments-0/1/"));
  }

  @Test
  void atMostAThousandEntriesWaitForRowsAndEvents() throws Exception {
    sevenIsCompleteAndNotShown();
    isNotReturned(entry(1));
    for (int entries = 0; entries < 1_010; entries += 2) {
      world.at(world.now().plus(Duration.ofMinutes(5)));
      runWithoutFailure(Duration.ofSeconds(2));
    }

    assertThat(reckoner.health().problem()).isEmpty();
    assertThat(world.ledger().state().shownThrough()).isGreaterThan(1_000);
    assertThat(world.events())
        .noneMatch(id -> id.contains("/batch/batch/orders-0/1/"))
        .anyMatch(id -> id.contains("/completion/hive-partition/default.orders/"));
  }

  @Test
  void manifestThatIsThereIsNotNeededForARevision() throws Exception {
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(2));
    orders.lands(SEVEN.plusSeconds(700), 10);
    produced(50);
    isNotReturned(
        TABLE.layout().partitionDirectory(ReckonedWorld.hour(SEVEN)).child("_SUCCESS").value());
    world.at(EIGHT.plusSeconds(3600).plus(LATENESS));
    runWithoutFailure(Duration.ofMinutes(2));

    sevenIsCompleteWith(50, false);
    assertThat(world.events()).anyMatch(id -> id.contains("/revision/hive-partition/"));
  }

  private void groupWithATableOfAnotherLog() throws Exception {
    world.group("sales", ORDERS_NAME, "default.returns@returns");
    world.appendForeign("returns", "default.returns", EIGHT);
    reckoner = world.reckoner("w1");
  }

  @Test
  void ledgerOfAnotherLogLetsOnlyGroupsWait() throws Exception {
    groupWithATableOfAnotherLog();
    isNotReturned("/ledger/logs/returns/");
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(2));
    sevenIsCompleteWith(40, false);
    assertThat(reckoner.health().held().get("group:sales")).startsWith("NO_MEMBER");

    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(2));
    assertThat(reckoner.health().through()).containsEntry("group:sales", EIGHT);
  }

  @Test
  void declarationOfAGroupLetsOnlyTheGroupWait() throws Exception {
    groupWithATableOfAnotherLog();
    runWithoutFailure(Duration.ofMinutes(2));
    reckoner = world.reckoner("w2");
    isNotReturned("/ledger/groups/sales.json");
    sevenEnds();
    runWithoutFailure(Duration.ofMinutes(2));
    sevenIsCompleteWith(40, false);
    assertThat(reckoner.health().problem().orElseThrow())
        .startsWith("the group sales is not reported")
        .contains("open /ledger/groups/sales.json");

    world.faulty().heal();
    runWithoutFailure(Duration.ofMinutes(7));
    assertThat(reckoner.health().problem()).isEmpty();
    assertThat(reckoner.health().through()).containsEntry("group:sales", EIGHT);
  }

  /** Which topic-partitions it has is not known, so all tables wait for a while. */
  @Test
  void accountIsPassedOnceLaterAccountsHaveWhatItHas() throws Exception {
    orders.lands(SEVEN.plusSeconds(700), 60);
    produced(100);
    String lost = world.storage().list(world.folders().inbox()).get(0).path().value();
    isNotReturned(lost);
    sevenEnds();
    assertThat(world.runOverFailures(reckoner, Duration.ofMinutes(31))).isPositive();
    assertThat(isPaymentsShown(SEVEN)).isFalse();

    world.at(SEVEN.plusSeconds(600).plus(Duration.ofHours(2)));
    payments.lands(EIGHT.plusSeconds(600), 0);
    orders.lands(EIGHT.plusSeconds(600), 0);
    runWithoutFailure(Duration.ofMinutes(6));
    sevenIsCompleteWith(100, false);
    assertThat(isPaymentsShown(SEVEN)).isTrue();
  }
}
