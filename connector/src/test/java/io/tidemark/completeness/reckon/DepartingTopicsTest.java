package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.StoragePath;
import io.tidemark.store.commit.LogOwner;
import io.tidemark.store.publish.Publisher;
import io.tidemark.store.table.Table;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Topics of a pattern that are created and deleted. The ledger contains the present topics and
 * those deleted recently.
 */
class DepartingTopicsTest {
  private static final Instant HALF_PAST_SEVEN = SEVEN.plusSeconds(1800);
  private static final Instant A_WEEK_LATER = EIGHT.plus(Duration.ofDays(8));
  private static final Table PAYMENTS = ReckonedWorld.table("payments");
  private static final String TABLE = "default.payments";

  private final ReckonedWorld world = new ReckonedWorld();
  private final ReckonedTable payments = new ReckonedTable(PAYMENTS, List.of("payments"));
  private final ReckonedTask task = world.task(PAYMENTS, "payments", 0, "id-1");

  @BeforeEach
  void bothTablesAreComplete() throws Exception {
    world.catalogHas(PAYMENTS);
    world.tables().add(payments);
    world.kafka().set("orders", "id", 100);
    world.task(0, "id").lands(HALF_PAST_SEVEN, 100);
    world.kafka().set("payments", "id-1", 50);
  }

  private void completeAndDelete() throws Exception {
    world.at(EIGHT.plus(LATENESS));
    world.run(world.reckoner("w1"), Duration.ofMinutes(2));
    assertThat(world.through(TABLE)).contains(EIGHT);
    OperatorRepairs.retire(repair(), "payments", "ann", "rotated");
    world.run(world.reckoner("w1"), Duration.ofMinutes(6)); // until after a later snapshot
    delete();
    world.run(world.reckoner("w1"), Duration.ofMinutes(10));
  }

  private OperatorRepair repair() {
    return new OperatorRepair(
        world.ledgerLog("cli"), world.ledgerTables(), Clock.fixed(world.now(), ZoneOffset.UTC));
  }

  private UnassignedLogs logs() {
    return new UnassignedLogs(
        new UnassignedLogs.Services(
            world.storage(),
            ReckonedWorld.LOGS,
            new LogOwner("sales", "sales"),
            world.kafka(),
            topic -> topic.equals("orders"),
            new Publisher(world.storage()),
            Optional.empty(),
            Optional.of(
                new UnassignedLogs.Accounting(
                    world.ledgerLog("w1"),
                    world.inbox(),
                    Clock.fixed(world.now(), ZoneOffset.UTC)))),
        () -> world.now().toEpochMilli());
  }

  private void delete() {
    world.tables().remove(payments);
    world.kafka().remove("payments");
  }

  private void makeAgain(long end) {
    world.tables().add(payments);
    world.kafka().set("payments", "id-2", end);
    task.nextGeneration("id-2");
  }

  private LedgerState state() throws Exception {
    return world.ledger().state();
  }

  private List<HivePartitionTotal> totals() throws Exception {
    return world.ledger().totals().values().stream()
        .map(OpenTotal::total)
        .filter(total -> total.table().equals(PAYMENTS.name()))
        .toList();
  }

  private void aWeekPasses() throws Exception {
    world.at(A_WEEK_LATER);
    world.run(world.reckoner("w2"), Duration.ofMinutes(15));
    assertThat(state().topics()).containsOnlyKeys("orders");
  }

  @Test
  void topicThatIsDeletedLeavesWithItsTableAWeekLater() throws Exception {
    task.lands(HALF_PAST_SEVEN, 50);
    completeAndDelete();
    assertThat(Objects.requireNonNull(state().topics().get("payments")).goneSince()).isPresent();
    assertThat(Objects.requireNonNull(state().tables().get(TABLE)).goneSince()).isPresent();

    world.at(EIGHT.plus(Duration.ofDays(6)));
    world.run(world.reckoner("w2"), Duration.ofMinutes(15));
    assertThat(state().topics()).containsKey("payments");
    assertThat(state().tables()).containsKey(TABLE);

    aWeekPasses();
    assertThat(state().tables()).containsOnlyKeys(ReckonedWorld.ORDERS.toString());
    assertThat(totals()).isEmpty();
    assertThat(world.through(ReckonedWorld.ORDERS.toString()).orElseThrow())
        .isAfter(A_WEEK_LATER.minusSeconds(600));
  }

  @Test
  void topicThatWasNotRetiredIsHeldThoughItsLastSnapshotWasCovered() throws Exception {
    task.lands(HALF_PAST_SEVEN, 50);
    world.at(EIGHT.plus(LATENESS));
    world.run(world.reckoner("w1"), Duration.ofMinutes(2));
    delete();
    world.run(world.reckoner("w1"), Duration.ofMinutes(10));
    assertThat(world.held(TABLE)).startsWith("DELETED payments-0").contains("offset 50");
  }

  @Test
  void topicThatAnotherClusterDoesNotHaveIsNotDeleted() throws Exception {
    task.lands(HALF_PAST_SEVEN, 50);
    world.at(EIGHT.plus(LATENESS));
    Reckoner reckoner = world.reckoner("w1");
    world.run(reckoner, Duration.ofMinutes(2));
    world.kafka().cluster("other");
    world.kafka().remove("payments");
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.held(TABLE)).startsWith("OTHER_CLUSTER payments: its log");
    assertThat(world.holds()).isEmpty();
  }

  /** No task corrects the claim, because Kafka no longer has the topic. */
  @Test
  void topicIsDeletedThoughATopicPartitionWithoutRecordsWasClaimedForAnotherClusterByMistake()
      throws Exception {
    world.kafka().set("payments", "id-1", 50, 0);
    task.lands(HALF_PAST_SEVEN, 50);
    world.task(PAYMENTS, "payments", 1, "id-1").claimsFor("other", "id-of-other");
    world.at(EIGHT.plus(LATENESS));
    Reckoner reckoner = world.reckoner("w1");
    world.run(reckoner, Duration.ofMinutes(2));
    world.kafka().remove("payments");
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.held(TABLE)).startsWith("DELETED payments-0").contains("offset 50");
  }

  @Test
  void topicThatTheLedgerDoesNotHaveCannotBeRetired() throws Exception {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OperatorRepairs.retire(repair(), "payments", "ann", "rotated"))
        .withMessageContaining("has no table in this ledger");
  }

  @Test
  void clockThatIsAheadLetsNoTopicLeave() throws Exception {
    task.lands(HALF_PAST_SEVEN, 50);
    completeAndDelete();
    world.reckonersAreAhead(Duration.ofDays(30));
    world.run(world.reckoner("w2"), Duration.ofMinutes(30));

    assertThat(state().topics()).containsKey("payments");
  }

  @Test
  void topicThatKafkaDidNotKnowForAWhileGoesOn() throws Exception {
    task.lands(HALF_PAST_SEVEN, 50);
    completeAndDelete();
    world.tables().add(payments);
    world.kafka().set("payments", "id-1", 60);
    task.lands(HALF_PAST_SEVEN, 10);
    world.run(world.reckoner("w2"), Duration.ofMinutes(15));

    assertThat(Objects.requireNonNull(state().topics().get("payments")).goneSince()).isEmpty();
    assertThat(Objects.requireNonNull(state().tables().get(TABLE)).goneSince()).isEmpty();
    assertThat(world.held(TABLE)).isEmpty();
    assertThat(totals())
        .singleElement()
        .satisfies(
            total -> {
              assertThat(total.records()).isEqualTo(60);
              assertThat(total.partial()).isFalse();
            });
  }

  @Test
  void topicOfWhichSomethingIsHeldStays() throws Exception {
    task.lands(HALF_PAST_SEVEN, 40);
    world.at(EIGHT.plus(LATENESS));
    world.run(world.reckoner("w1"), Duration.ofMinutes(2));
    delete();
    world.run(world.reckoner("w1"), Duration.ofMinutes(10));
    assertThat(world.held(TABLE)).startsWith("DELETED payments-0");

    world.at(A_WEEK_LATER);
    world.run(world.reckoner("w2"), Duration.ofMinutes(15));
    assertThat(world.held(TABLE)).startsWith("DELETED payments-0");
  }

  /** The worker died before it published and accounted the last batch. */
  @Test
  void whatWasCommittedBeforeTheDeletionIsPublishedAndCounted() throws Exception {
    world.withoutHive();
    task.lands(HALF_PAST_SEVEN, 40);
    task.land(HALF_PAST_SEVEN, 10);
    task.leaveStaged();
    world.recorded(PAYMENTS, "payments");
    world.at(EIGHT.plus(LATENESS));
    Reckoner reckoner = world.reckoner("w1");
    world.run(reckoner, Duration.ofMinutes(2));
    delete();
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.held(TABLE)).startsWith("DELETED payments-0");

    logs().look();
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.holds())
        .as("what may follow the committed records")
        .singleElement()
        .satisfies(
            hold -> {
              assertThat(hold.kind()).isEqualTo(HoldKind.DELETED);
              assertThat(hold.from()).isEqualTo(50);
            });
    assertThat(totals())
        .singleElement()
        .satisfies(each -> assertThat(each.records()).isEqualTo(50));
  }

  /** Connect stops the former task after it has started the connector with fewer topics. */
  @Test
  void lastBatchOfATopicThatWasTakenOutIsCounted() throws Exception {
    world.withoutHive();
    task.lands(HALF_PAST_SEVEN, 40);
    world.recorded(PAYMENTS, "payments");
    world.at(EIGHT.plus(LATENESS));
    Reckoner reckoner = world.reckoner("w1");
    world.run(reckoner, Duration.ofMinutes(2));
    world.tables().remove(payments);
    UnassignedLogs logs = logs();
    logs.look();
    task.land(HALF_PAST_SEVEN, 10);
    task.leaveStaged();
    logs.look();
    world.run(reckoner, Duration.ofMinutes(5));

    assertThat(world.held(TABLE)).isEmpty();
    assertThat(totals())
        .singleElement()
        .satisfies(each -> assertThat(each.records()).isEqualTo(50));
  }

  @Test
  void committedFilesOfARestoredLogArePublishedThoughTheLedgerIsNewer() throws Exception {
    world.withoutHive();
    task.lands(HALF_PAST_SEVEN, 40);
    SettledEntry last = task.land(HALF_PAST_SEVEN, 5);
    ReckonedTask.Copy copy = task.copy();
    task.account(last);
    task.lands(HALF_PAST_SEVEN, 5);
    world.recorded(PAYMENTS, "payments");
    Reckoner reckoner = world.reckoner("w1");
    world.run(reckoner, Duration.ofMinutes(5));
    task.restore(copy);
    task.leaveStaged();
    delete();
    logs().look();

    StoragePath hour = PAYMENTS.layout().partitionDirectory(ReckonedWorld.hour(HALF_PAST_SEVEN));
    assertThat(world.memory().list(hour)).hasSize(1);
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.holds()).extracting(Hold::kind).contains(HoldKind.GAP);
  }

  @Test
  void topicThatIsMadeAgainIsNotCompleteBeforeItsOwnRecordsHaveLanded() throws Exception {
    task.lands(HALF_PAST_SEVEN, 50);
    completeAndDelete();
    aWeekPasses();
    makeAgain(30);
    Instant hour = A_WEEK_LATER.minusSeconds(3600);
    task.lands(hour, 10);
    world.run(world.reckoner("w3"), Duration.ofMinutes(10));
    assertThat(world.held(TABLE)).startsWith("BEHIND payments-0: 20 offsets behind");
    assertThat(world.through(TABLE)).isEmpty();

    task.lands(hour, 20);
    world.run(world.reckoner("w3"), Duration.ofMinutes(10));
    assertThat(world.through(TABLE)).isPresent();
    assertThat(totals())
        .singleElement()
        .satisfies(
            total -> {
              assertThat(total.hivePartition()).isEqualTo(ReckonedWorld.hour(hour));
              assertThat(total.records()).isEqualTo(30);
            });
  }

  /** Its former files are no longer part of any total. */
  @Test
  void lateRecordOfTheLaterTopicMakesAPartialRevision() throws Exception {
    task.lands(HALF_PAST_SEVEN, 50);
    completeAndDelete();
    aWeekPasses();
    makeAgain(10);
    task.land(HALF_PAST_SEVEN, 4); // Its account is lost.
    task.lands(HALF_PAST_SEVEN, 6);
    world.run(world.reckoner("w3"), Duration.ofMinutes(10));

    assertThat(world.through(TABLE)).isPresent();
    assertThat(totals())
        .singleElement()
        .satisfies(
            total -> {
              assertThat(total.records()).isEqualTo(10);
              assertThat(total.partial()).isTrue();
            });
  }

  @Test
  void whatWasAcknowledgedOfTheFormerTopicHoldsNothingOfTheLaterOne() throws Exception {
    task.loses(10);
    task.lands(HALF_PAST_SEVEN, 40);
    world.at(EIGHT.plus(LATENESS));
    world.run(world.reckoner("w1"), Duration.ofMinutes(2));
    assertThat(world.held(TABLE)).startsWith("LOST payments-0");
    OperatorRepairs.acknowledge(repair(), hold -> true, "ann", "known");
    completeAndDelete();
    aWeekPasses();
    assertThat(world.holds()).isEmpty();
    makeAgain(10);
    task.lands(A_WEEK_LATER, 10);
    world.run(world.reckoner("w3"), Duration.ofMinutes(10));

    assertThat(world.held(TABLE)).isEmpty();
    assertThat(world.through(TABLE)).isPresent();
    assertThat(world.holds()).isEmpty();
  }
}
