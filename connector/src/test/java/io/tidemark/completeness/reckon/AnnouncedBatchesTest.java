package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.AnnouncedBatch;
import io.tidemark.completeness.ledger.BatchVerdict;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.table.TableDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A reckoner that reads announcements, with a store and a Kafka in memory. */
class AnnouncedBatchesTest {
  private static final Instant TIME = SEVEN.plusSeconds(600);

  private final ReckonedWorld world = new ReckonedWorld();
  private final FakeAnnouncements announcements = world.announcements();

  private Optional<AnnouncedBatch> find(String id) throws Exception {
    return world
        .ledger()
        .state()
        .announcements()
        .flatMap(all -> Optional.ofNullable(all.open().get(id)));
  }

  private String said(String id) throws Exception {
    return find(id)
        .orElseThrow()
        .held(world.ledger().state().topics())
        .map(Object::toString)
        .orElse("COMPLETE");
  }

  @Test
  void batchIsCompleteOnceASnapshotAfterItsAnnouncementIsCovered() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.landsBatch(TIME, 60, "n-21");
    world.run(reckoner, Duration.ofSeconds(10));
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofSeconds(12));

    assertThat(said("n-21")).startsWith("OPEN orders: ").contains("BEHIND");

    task.landsBatch(TIME, 40, "n-21");
    world.run(reckoner, Duration.ofSeconds(6));
    assertThat(said("n-21")).isEqualTo("COMPLETE");
    assertThat(find("n-21").orElseThrow().countedRecords().landed()).isEqualTo(100);
  }

  @Test
  void batchThatIsShortIsCompleteOnceTheRestIsCovered() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 60);
    task.landsBatch(TIME, 60, "n-21");
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofSeconds(20));
    assertThat(said("n-21")).isEqualTo("SHORT orders: 60 counted of 100 announced, 40 missing");

    world.kafka().set("orders", "id", 100);
    task.landsBatch(TIME, 40, "n-21");
    world.run(reckoner, Duration.ofMinutes(6));
    assertThat(said("n-21")).isEqualTo("COMPLETE");
  }

  @Test
  void batchOfADeletedTopicIsNotCompleteWhileReadersDoNotSeeItsRows() throws Exception {
    TableDefinition table = world.catalog().table(ReckonedWorld.ORDERS).orElseThrow();
    world.catalog().addPartitions(table, List.of(ReckonedWorld.hour(TIME)));
    world.catalog().relocatePartition(table, ReckonedWorld.hour(TIME), "/elsewhere");
    Reckoner reckoner = world.reckoner("w1");
    world.kafka().set("orders", "id", 60);
    announcements.announce("n-21", "\"orders\":60");
    world.task(0, "id").landsBatch(TIME, 60, "n-21");
    world.at(ReckonedWorld.EIGHT.plus(ReckonedWorld.LATENESS));
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(said("n-21")).isNotEqualTo("COMPLETE");
    world.kafka().remove("orders");
    world.run(reckoner, Duration.ofMinutes(10));

    assertThat(world.holds()).extracting(Hold::kind).contains(HoldKind.UNSEEN);
    assertThat(said("n-21")).isNotEqualTo("COMPLETE");
  }

  @Test
  void batchOfADeletedTopicIsCompleteOnceAllItsRecordsAreCounted() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 60);
    task.landsBatch(TIME, 40, "n-21");
    SettledEntry rest = task.landBatch(TIME, 20, "n-21");
    world.run(reckoner, Duration.ofSeconds(70));
    world.kafka().remove("orders");
    world.run(reckoner, Duration.ofMinutes(10));
    announcements.announce("n-21", "\"orders\":60");
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(said("n-21")).startsWith("UNKNOWN orders: 40 counted of 60").contains("deleted");
    Optional<BatchVerdict> verdict = find("n-21").orElseThrow().verdict();
    world.run(reckoner, Duration.ofMinutes(20));
    assertThat(find("n-21").orElseThrow().verdict()).isEqualTo(verdict);

    task.account(rest);
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(said("n-21")).isEqualTo("COMPLETE");
  }

  @Test
  void batchOfAReleasedTopicDoesNotWaitForASnapshot() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    world.kafka().set("orders", "id", 60);
    world.task(0, "id").landsBatch(TIME, 60, "n-21");
    world.run(reckoner, Duration.ofSeconds(70));
    world.tables().clear();
    OperatorRepairs.release(repair(), "orders", "ann", "it goes to another connector");
    announcements.announce("n-21", "\"orders\":60");
    announcements.announce("n-22", "\"orders\":1");
    world.run(reckoner, Duration.ofMinutes(3));

    assertThat(said("n-21")).isEqualTo("COMPLETE");
    assertThat(said("n-22")).startsWith("UNKNOWN orders: 0 counted of 1 announced");
  }

  @Test
  void batchThatWasCompleteIsOverWhenMoreComes() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.landsBatch(TIME, 100, "n-21");
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofSeconds(20));
    assertThat(said("n-21")).isEqualTo("COMPLETE");

    world.kafka().set("orders", "id", 101);
    task.landsBatch(TIME, 1, "n-21");
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(said("n-21")).isEqualTo("OVER orders: 101 counted of 100 announced, 1 too many");
  }

  /** The topics of the configuration do not exist yet. */
  @Test
  void announcementAsksForOneSnapshotAlsoWhereNoTopicFeedsATable() throws Exception {
    world.tables().clear();
    Reckoner reckoner = world.reckoner("w1");
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofSeconds(10));
    long before = world.ledger().number();

    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.ledger().number()).isLessThanOrEqualTo(before + 1);
  }

  @Test
  void batchOfATopicThatLostRecordsCannotBeKnown() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 150);
    task.loses(50);
    task.landsBatch(TIME, 100, "n-21");
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofSeconds(20));
    assertThat(said("n-21")).startsWith("OPEN").contains("LOST");

    OperatorRepairs.acknowledge(repair(), hold -> true, "ann", "known");
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(said("n-21"))
        .startsWith("UNKNOWN orders: 100 counted of 100 announced, and 50 records were lost");
  }

  @Test
  void batchWhoseAccountsWereFoldedCannotBeKnown() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 110);
    task.land(TIME, 10);
    task.fold();
    task.landsBatch(TIME, 100, "n-21");
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofMinutes(1));

    assertThat(said("n-21")).startsWith("UNKNOWN orders: 100 counted of 100 announced");
  }

  private OperatorRepair repair() {
    return new OperatorRepair(
        world.ledgerLog("cli"),
        world.ledgerTables(),
        java.time.Clock.fixed(world.now(), java.time.ZoneOffset.UTC));
  }

  @Test
  void copyIsIgnoredAndAContradictionIsNeverComplete() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.landsBatch(TIME, 100, "n-21");
    announcements.announce("n-21", "\"orders\":100");
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofSeconds(20));
    assertThat(said("n-21")).isEqualTo("COMPLETE");

    announcements.announce("n-21", "\"orders\":99");
    world.run(reckoner, Duration.ofSeconds(20));
    assertThat(said("n-21")).startsWith("CONTRADICTED");
    assertThat(find("n-21").orElseThrow().complete()).isFalse();
  }

  @Test
  void malformedAnnouncementIsLeftOutAndTheNextOneIsRead() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.landsBatch(TIME, 100, "n-22");
    announcements.send(
        "n-21", "{\"version\":1,\"batch\":\"n-21\",\"records\":{\"orders\":\"many\"}}");
    announcements.announce("n-22", "\"orders\":100");
    world.run(reckoner, Duration.ofSeconds(20));

    assertThat(find("n-21")).isEmpty();
    assertThat(said("n-22")).isEqualTo("COMPLETE");
    assertThat(world.ledger().state().announcements().orElseThrow().position()).containsExactly(2L);
  }

  @Test
  void topicThatCannotBeReadKeepsNothingElseWaiting() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    announcements.away(true);
    world.kafka().set("orders", "id", 100);
    task.landsBatch(TIME, 100, "n-21");
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofMinutes(6));

    assertThat(world.through(ReckonedWorld.ORDERS.toString())).isPresent();
    assertThat(reckoner.health().problem().orElseThrow()).contains("Announcements of batches");
    announcements.away(false);
    world.run(reckoner, Duration.ofSeconds(20));
    assertThat(said("n-21")).isEqualTo("COMPLETE");
    assertThat(reckoner.health().problem()).isEmpty();
  }

  @Test
  void backlogIsReadInStepsAndTheNextReckonerGoesOnBehindIt() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    announcements.most(3);
    for (int batch = 0; batch < 10; batch++) {
      task.landsBatch(TIME, 10, "n-" + batch);
      announcements.announce("n-" + batch, "\"orders\":10");
    }
    world.run(reckoner, Duration.ofSeconds(20));
    for (int batch = 0; batch < 10; batch++) {
      assertThat(said("n-" + batch)).isEqualTo("COMPLETE");
    }
    long before = find("n-9").orElseThrow().announcedIn();

    Reckoner next = world.reckoner("w2");
    world.run(next, Duration.ofSeconds(20));
    assertThat(find("n-9").orElseThrow().announcedIn()).isEqualTo(before);

    announcements.madeAgain();
    announcements.announce("n-10", "\"orders\":0");
    world.run(next, Duration.ofSeconds(20));
    assertThat(said("n-10")).isEqualTo("COMPLETE");
    assertThat(world.ledger().state().announcements().orElseThrow().topicId())
        .isEqualTo("batches-2");
  }

  @Test
  void batchesExpire() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.landsBatch(TIME, 60, "n-21");
    task.landsBatch(TIME, 40, "never-announced");
    announcements.announce("n-21", "\"orders\":60");
    world.run(reckoner, Duration.ofSeconds(20));
    assertThat(world.ledger().state().announcements().orElseThrow().counted())
        .containsOnlyKeys("never-announced");
    world.at(TIME.plus(Duration.ofDays(8)));
    world.run(reckoner, Duration.ofMinutes(3));

    assertThat(find("n-21")).isEmpty();
    assertThat(world.ledger().state().announcements().orElseThrow().counted()).isEmpty();
  }

  @Test
  void reckonerWhoseClockIsAheadForgetsNoBatch() throws Exception {
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.landsBatch(TIME, 60, "n-21");
    task.landsBatch(TIME, 10, "n-22");
    announcements.announce("n-22", "\"orders\":30");
    world.run(world.reckoner("w1"), Duration.ofSeconds(20));

    world.reckonersAreAhead(Duration.ofDays(8));
    Reckoner ahead = world.reckoner("w2");
    task.landsBatch(TIME, 10, "n-22");
    announcements.announce("n-21", "\"orders\":70");
    world.run(ahead, Duration.ofMinutes(3));
    assertThat(find("n-22").orElseThrow().countedRecords().landed()).isEqualTo(20);

    world.reckonersAreAhead(Duration.ZERO);
    task.landsBatch(TIME, 10, "n-21");
    task.landsBatch(TIME, 10, "n-22");
    world.run(world.reckoner("w3"), Duration.ofMinutes(10));
    assertThat(said("n-21")).isEqualTo("COMPLETE");
    assertThat(said("n-22")).isEqualTo("COMPLETE");
  }

  /** The clock was correct when the ledger was claimed. */
  @Test
  void reckonerWhoseClockJumpsAheadForgetsNoBatch() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.landsBatch(TIME, 60, "n-21");
    world.run(reckoner, Duration.ofMinutes(2));

    world.reckonersAreAhead(Duration.ofDays(8));
    task.landsBatch(TIME, 20, "n-21");
    announcements.announce("n-22", "\"orders\":10"); // This is written immediately.
    world.run(reckoner, Duration.ofMinutes(3));
    world.reckonersAreAhead(Duration.ZERO);
    task.landsBatch(TIME, 20, "n-21");
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofMinutes(10));

    assertThat(said("n-21")).isEqualTo("COMPLETE");
  }

  /** With this clock the batch seems to begin after all uncounted records. */
  @Test
  void batchThatAClockAheadHasBegunIsUnknownWhereRecordsWereNotCounted() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 150);
    world.run(reckoner, Duration.ofSeconds(20));
    world.reckonersAreAhead(Duration.ofDays(8));
    task.landsBatch(TIME, 60, "n-21");
    world.run(reckoner, Duration.ofMinutes(2));

    world.reckonersAreAhead(Duration.ZERO);
    task.loses(50);
    task.landsBatch(TIME, 40, "n-21");
    announcements.announce("n-21", "\"orders\":100");
    world.run(reckoner, Duration.ofMinutes(10));
    OperatorRepairs.acknowledge(repair(), hold -> true, "ann", "known");
    world.run(reckoner, Duration.ofMinutes(10));

    assertThat(said("n-21")).startsWith("UNKNOWN orders: 100 counted of 100 announced");
  }

  @Test
  void stateNamesTheFeatureThatItsReadersMustKnow() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    world.kafka().set("orders", "id", 0);
    world.run(reckoner, Duration.ofSeconds(20));

    assertThat(world.ledger().state().requires()).containsExactly("announced-batches");
  }
}
