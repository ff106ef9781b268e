package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerDirectories;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoreRefusedException;
import io.tidemark.store.partition.TimePartitioned;
import io.tidemark.store.partition.TimestampField;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Problems that last for hours. They make no file grow, and end when their cause is removed. */
class LastingTroubleTest {
  private static final Instant HALF_PAST_SEVEN = SEVEN.plusSeconds(1800);
  private static final String TABLE = ReckonedWorld.ORDERS.toString();

  private final ReckonedWorld world = new ReckonedWorld();

  @BeforeEach
  void hundredRecordsHaveLanded() throws Exception {
    world.kafka().set("orders", "id", 100);
    world.task(0, "id").lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
  }

  private StoragePath requests() {
    return world.folders().ledger().child("requests");
  }

  /**
   * A pattern has added a second topic. The first one waited until the second was known to be
   * second.
   */
  @Test
  void topicWithoutANameOfItsOwnIsHeldAndTheFirstIsComplete() throws Exception {
    world.kafka().set("Orders", "id", 50);
    boolean[] known = {false};
    Subscription subscription =
        new Subscription() {
          @Override
          public List<ReckonedTable> tables(Set<String> assigned) {
            List<String> both = List.of("Orders", "orders");
            return List.of(
                new ReckonedTable(ReckonedWorld.TABLE, known[0] ? List.of("orders") : both));
          }

          @Override
          public Map<String, String> nameTaken() {
            return known[0] ? Map.of("Orders", "Orders: orders was first. Leave it out") : Map.of();
          }
        };
    Reckoner reckoner = world.reckoner("w1", world.show(), subscription);
    world.run(reckoner, Duration.ofMinutes(6));
    assertThat(world.isShown(SEVEN)).isFalse();

    known[0] = true;
    // Without a catalog tasks do not refuse it.
    world.task(ReckonedWorld.TABLE, "Orders", 0, "id").lands(HALF_PAST_SEVEN, 50);
    world.run(reckoner, Duration.ofMinutes(6));

    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.held(TABLE)).isEmpty();
    assertThat(world.through(TABLE)).contains(EIGHT.plus(Duration.ofMinutes(10)));
    assertThat(world.ledger().totals().values())
        .extracting(open -> open.total().records())
        .containsExactly(100L);
    String why = "NAME_TAKEN Orders: orders was first. Leave it out";
    assertThat(world.ledger().state().topics().get("Orders"))
        .satisfies(topic -> assertThat(topic.held()).map(Object::toString).contains(why));
    assertThat(reckoner.health().held()).containsEntry("topic:Orders", why);
  }

  /** For example, the store answers no call for that file. */
  @Test
  void manifestThatCannotBePutForLongAddsNoEntries() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    world.faulty().failBefore(call -> call.endsWith("_SUCCESS") && call.startsWith("rename"));
    int failures = world.runOverFailures(reckoner, Duration.ofMinutes(20));

    assertThat(failures).isGreaterThan(500);
    assertThat(world.ledger().number()).isLessThan(10);
    assertThat(world.isShown(SEVEN)).isFalse();

    world.faulty().heal();
    world.runOverFailures(reckoner, Duration.ofSeconds(90));
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.through(TABLE)).contains(EIGHT.plus(Duration.ofMinutes(20)));
  }

  /** For example, the connector's user may not write into the directories of one table. */
  @Test
  void manifestThatTheStoreRefusesHoldsItsOwnTableAlone() throws Exception {
    Table payments = ReckonedWorld.table("payments");
    world.catalogHas(payments);
    world.tables().add(new ReckonedTable(payments, List.of("payments")));
    world.kafka().set("payments", "id", 50);
    world.task(payments, "payments", 0, "id").lands(HALF_PAST_SEVEN, 50);
    refuseManifests();
    Reckoner reckoner = world.reckoner("w1");
    int failures = world.runOverFailures(reckoner, Duration.ofMinutes(31));

    assertThat(failures).isZero();
    assertThat(
            world
                .storage()
                .find(
                    payments
                        .layout()
                        .partitionDirectory(ReckonedWorld.hour(SEVEN))
                        .child("_SUCCESS")))
        .isPresent();
    assertThat(world.through("default.payments")).contains(EIGHT.plus(Duration.ofMinutes(30)));
    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.through(TABLE)).contains(EIGHT);
    String held = world.held(TABLE);
    assertThat(held)
        .startsWith(
            "NOT_SHOWN default.orders: the store refuses the manifest of dt=2026-11-21/hour=07")
        .contains("Permission denied")
        .contains("Let that user do so");
    assertThat(reckoner.health().held()).containsEntry(TABLE, held);
    assertThat(world.ledger().number()).as("one snapshot, one reckoning a tick").isLessThan(20);

    world.faulty().heal();
    world.run(reckoner, Duration.ofSeconds(90));
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.held(TABLE)).isEmpty();
    assertThat(world.through(TABLE)).contains(EIGHT.plus(Duration.ofMinutes(30)));
  }

  /** For example, the connector's user may no longer create directories in one table. */
  @Test
  void directoryThatTheStoreRefusesHoldsItsOwnTableAlone() throws Exception {
    Table payments = ReckonedWorld.table("payments");
    world.catalogHas(payments);
    world
        .tables()
        .set(
            0,
            new ReckonedTable(
                ReckonedWorld.withEmpties(ReckonedWorld.TABLE, true), List.of("orders")));
    world
        .tables()
        .add(new ReckonedTable(ReckonedWorld.withEmpties(payments, true), List.of("payments")));
    world.kafka().set("payments", "id", 50);
    world.task(payments, "payments", 0, "id").lands(HALF_PAST_SEVEN, 50);
    Reckoner reckoner = world.reckoner("w1");
    world.run(reckoner, Duration.ofMinutes(1));
    assertThat(world.isShown(SEVEN)).isTrue();

    StoragePath root = ReckonedWorld.TABLE.layout().root();
    world.faulty().failWith(LastingTroubleTest::refusal);
    world.faulty().failBefore(call -> call.startsWith("makeDirectories " + root.value() + "/dt="));
    world.at(EIGHT.plusSeconds(3600).plus(LATENESS));
    int failures = world.runOverFailures(reckoner, Duration.ofMinutes(31));

    assertThat(failures).isZero();
    assertThat(
            world.storage().find(payments.layout().partitionDirectory(ReckonedWorld.hour(EIGHT))))
        .isPresent();
    Instant half = EIGHT.plus(Duration.ofMinutes(90));
    assertThat(world.through("default.payments")).contains(half);
    assertThat(world.through(TABLE)).contains(EIGHT);
    assertThat(world.isShown(EIGHT)).isFalse();
    String held = world.held(TABLE);
    assertThat(held)
        .startsWith(
            "NOT_SHOWN default.orders: the store refuses the directory of dt=2026-11-21/hour=08,"
                + " which has no records: ")
        .contains("Permission denied")
        .contains("Let that user do so");
    assertThat(reckoner.health().held()).containsEntry(TABLE, held);
    assertThat(world.ledger().number()).as("one snapshot, one reckoning a tick").isLessThan(30);

    world.faulty().heal();
    world.run(reckoner, Duration.ofSeconds(90));
    assertThat(world.isShown(EIGHT)).isTrue();
    assertThat(world.held(TABLE)).isEmpty();
    assertThat(world.through(TABLE)).contains(half);
  }

  /**
   * The ledger's checkpoint keeps the missing manifests, however long ago the Hive partition ended.
   */
  @Test
  void manifestThatWasRefusedIsPutByAnyLaterReckoner() throws Exception {
    refuseManifests();
    world.run(world.reckoner("w1"), Duration.ofMinutes(2));
    world.run(world.reckoner("w2"), Duration.ofHours(12));
    assertThat(world.ledger().number()).as("was folded").isGreaterThan(250);
    assertThat(world.isShown(SEVEN)).isFalse();

    world.faulty().heal();
    world.run(world.reckoner("w3"), Duration.ofSeconds(90));
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.held(TABLE)).isEmpty();
  }

  @Test
  void storeThatRefusesTheBytesOfManifestsIsLeftNoFiles() throws Exception {
    StoragePath hour = ReckonedWorld.TABLE.layout().partitionDirectory(ReckonedWorld.hour(SEVEN));
    int before = world.storage().list(hour).size();
    world.faulty().failWith(LastingTroubleTest::refusal);
    world.faulty().failBefore(call -> call.startsWith("rename " + hour.value()));
    world.run(world.reckoner("w1"), Duration.ofMinutes(30));

    assertThat(world.storage().list(hour)).hasSize(before);
    assertThat(world.ledger().number()).isLessThan(30);
  }

  private void refuseManifests() {
    world.faulty().failWith(LastingTroubleTest::refusal);
    world
        .faulty()
        .failBefore(
            call ->
                call.startsWith(
                    "create " + ReckonedWorld.TABLE.layout().root().value() + "/dt=2026-11-21"));
  }

  private static StoreRefusedException refusal(String call) {
    return new StoreRefusedException(
        StoreRefusedException.Reason.ACCESS,
        "memory: Permission denied: user=connect, " + call,
        "Let that user do so: give it the directory.",
        null);
  }

  /** For example, another user has created the directory of requests. */
  @Test
  void requestThatCannotBeRemovedAsksForOneSnapshotAndHoldsUpNothing() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    new SnapshotRequests(world.storage(), world.folders()).request("test", world.now());
    world.faulty().failBefore(call -> call.startsWith("delete " + requests().value()));
    int failures = world.runOverFailures(reckoner, Duration.ofHours(1).plusSeconds(30));

    assertThat(failures).isZero();
    assertThat(world.through(TABLE)).contains(EIGHT.plus(Duration.ofHours(1)));
    assertThat(world.kafka().asked()).as("one a tick, and one for the request").isLessThan(16);
  }

  @Test
  void directoryOfRequestsIsTheConnectors() throws Exception {
    world.run(world.reckoner("w1"), Duration.ofSeconds(5));

    assertThat(world.storage().find(requests())).isPresent();
  }

  @Test
  void hivePartitionThatReadersDidNotSeeIsCompleteOnceTheyDo() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    TableDefinition table = world.catalog().table(ReckonedWorld.ORDERS).orElseThrow();
    world.catalog().addPartitions(table, List.of(ReckonedWorld.hour(SEVEN)));
    world.catalog().relocatePartition(table, ReckonedWorld.hour(SEVEN), "memory:/somewhere/else");
    world.run(reckoner, Duration.ofMinutes(20));

    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.holds()).extracting(Hold::kind).containsExactly(HoldKind.UNSEEN);

    world.catalog().dropPartitions(table, List.of(ReckonedWorld.hour(SEVEN)));
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.holds()).isEmpty();
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.catalog().paths(ReckonedWorld.ORDERS))
        .containsExactly(ReckonedWorld.hour(SEVEN).path());
  }

  /** The tasks learn of a topic of the pattern before the reckoner does. */
  @Test
  void topicThatLandsBeforeItIsKnownIsCompleteInItsFirstHour() throws Exception {
    boolean[] asked = {false};
    Subscription subscription =
        new Subscription() {
          @Override
          public List<ReckonedTable> tables(Set<String> assigned) {
            return asked[0] ? world.tables() : List.of();
          }

          @Override
          public void refresh() {
            asked[0] = true;
          }
        };
    world.run(world.reckoner("w1", world.show(), subscription), Duration.ofMinutes(7));

    assertThat(world.isShown(SEVEN)).isTrue();
  }

  /**
   * The tasks refuse such a configuration. Records that had landed before are complete in their
   * hour.
   */
  @Test
  void tableIsReckonedByTheLayoutThatItHasWhateverIsConfigured() throws Exception {
    recordLayout();
    world.tables().set(0, new ReckonedTable(anHourAhead(), List.of("orders")));
    Reckoner reckoner = world.reckoner("w1");
    world.run(reckoner, Duration.ofSeconds(20));

    assertThat(world.isShown(SEVEN)).isTrue();
  }

  /** By a path in another timezone, the present hour would be empty and over. */
  @Test
  void hoursWithoutRecordsAreThoseOfTheLayoutThatTheTableHas() throws Exception {
    recordLayout();
    world
        .tables()
        .set(
            0,
            new ReckonedTable(
                ReckonedWorld.withEmpties(ReckonedWorld.TABLE, true), List.of("orders")));
    world.run(world.reckoner("w1"), Duration.ofSeconds(20));
    assertThat(world.isShown(SEVEN)).isTrue();

    world
        .tables()
        .set(
            0,
            new ReckonedTable(ReckonedWorld.withEmpties(anHourAhead(), true), List.of("orders")));
    world.at(EIGHT.plusSeconds(3600).plus(LATENESS));
    world.run(world.reckoner("w2"), Duration.ofSeconds(90));

    assertThat(world.isShown(EIGHT)).isTrue();
    assertThat(world.isShown(EIGHT.plusSeconds(3600))).isFalse();
  }

  private void recordLayout() throws Exception {
    RecordedLayout layout = RecordedLayout.of(ReckonedWorld.TABLE.partitioning());
    assertThat(new LayoutFile(world.storage(), ReckonedWorld.TABLE.layout()).put(layout))
        .isEqualTo(layout);
  }

  private static Table anHourAhead() {
    TimePartitioned utc = (TimePartitioned) ReckonedWorld.TABLE.partitioning();
    return new Table(
        ReckonedWorld.ORDERS,
        ReckonedWorld.TABLE.layout(),
        new TimePartitioned(
            utc.pathFormat(),
            ZoneOffset.ofHours(1),
            utc.duration(),
            utc.timestampField(),
            TimestampField.Unit.MILLIS),
        TableOptions.DEFAULT);
  }

  @Test
  void groupIsDeclaredOnceAnotherLogHasGivenUpItsName() throws Exception {
    world.group("sales", TABLE);
    GroupDeclarations others =
        new GroupDeclarations(
            world.storage(), new LedgerDirectories(ReckonedWorld.LEDGER, "another"));
    assertThat(others.declare("sales")).isEmpty();
    Reckoner reckoner = world.reckoner("w1");
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(world.ledger().state().groups()).isEmpty();
    assertThat(reckoner.health().problem()).isPresent();

    assertThat(world.storage().delete(ReckonedWorld.LEDGER.child("groups").child("sales.json")))
        .isTrue();
    world.run(reckoner, Duration.ofMinutes(7));

    assertThat(world.ledger().state().groups().get("sales"))
        .satisfies(group -> assertThat(group.through()).isPresent());
    assertThat(reckoner.health().problem()).isEmpty();
  }
}
