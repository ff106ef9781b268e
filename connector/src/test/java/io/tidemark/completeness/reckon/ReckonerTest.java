package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.Manifest;
import io.tidemark.store.StoragePath;
import io.tidemark.store.StoredFile;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.StagingDirectories;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReckonerTest {
  private static final Instant HALF_PAST_SEVEN = SEVEN.plusSeconds(1800);
  private static final String TABLE = ReckonedWorld.ORDERS.toString();

  private final ReckonedWorld world = new ReckonedWorld();

  private Manifest manifest(Instant hour) throws Exception {
    return new io.tidemark.completeness.show.SuccessFiles(world.storage())
        .read(ReckonedWorld.TABLE.layout().partitionDirectory(ReckonedWorld.hour(hour)))
        .orElseThrow();
  }

  @Test
  void hourIsCompleteOnceAllThatKafkaHeldHasLanded() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask zero = world.task(0, "id");
    ReckonedTask one = world.task(1, "id");
    world.kafka().set("orders", "id", 100, 50);
    zero.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(20));

    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.held(TABLE)).contains("NOT_OPENED orders-1");

    one.lands(HALF_PAST_SEVEN, 50);
    Instant accounted = world.now();
    world.run(reckoner, Duration.ofSeconds(6));

    assertThat(world.through(TABLE)).contains(EIGHT);
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(Duration.between(accounted, world.now())).isLessThan(Duration.ofSeconds(10));
    assertThat(manifest(SEVEN).completion().total().records()).isEqualTo(150);
    assertThat(manifest(SEVEN).topics()).containsOnlyKeys("orders");
    assertThat(world.complete()).hasSize(1);
    assertThat(world.storage().list(world.folders().inbox())).isEmpty();
    assertThat(reckoner.health().through()).containsEntry(TABLE, EIGHT);
    assertThat(reckoner.health().newestCompletion()).containsKey(TABLE);
  }

  /** No account arrives and nothing advances: the reason is written in an entry of its own. */
  @Test
  void openTransactionIsNamedWhileItHolds() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(20));
    assertThat(world.through(TABLE)).contains(EIGHT);

    world.kafka().set("orders", "id", 130);
    world.kafka().open("orders", 100);
    world.run(reckoner, Duration.ofMinutes(6));
    assertThat(world.held(TABLE)).startsWith("OPEN_TRANSACTION orders-0: ").contains("offset 100");
    assertThat(world.through(TABLE)).contains(EIGHT);
  }

  @Test
  void lostAccountIsReadFromTheLog() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 110);
    task.land(HALF_PAST_SEVEN, 100);
    task.lands(HALF_PAST_SEVEN, 10);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(10));

    assertThat(manifest(SEVEN).completion().total().records()).isEqualTo(110);
    assertThat(manifest(SEVEN).completion().total().partial()).isFalse();
  }

  @Test
  void lostAccountOfAFoldedLogMakesTheFiguresPartial() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 110);
    task.land(HALF_PAST_SEVEN, 100);
    task.fold();
    task.lands(HALF_PAST_SEVEN, 10);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(10));

    assertThat(world.through(TABLE)).contains(EIGHT);
    assertThat(manifest(SEVEN).completion().total().partial()).isTrue();
  }

  /** All entries before an accounted one are settled, and its state counts them. */
  @Test
  void damagedEntryWaitsTenMinutesAndThenMakesTheFiguresPartial() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.land(HALF_PAST_SEVEN, 40);
    task.lands(HALF_PAST_SEVEN, 60);
    damage(1);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(9));
    assertThat(world.held(TABLE)).startsWith("DAMAGED orders-0").contains("00001.json");
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.through(TABLE)).isPresent();
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.ledger().totals().values())
        .allSatisfy(
            open -> {
              assertThat(open.total().partial()).isTrue();
              assertThat(open.total().records()).isEqualTo(60);
            });
  }

  /** The losses in it are known only from its counts. */
  @Test
  void lossInADamagedEntryHoldsUntilAnOperatorAcknowledgesIt() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.loses(40);
    for (StoredFile account : world.storage().list(world.folders().inbox())) {
      assertThat(world.storage().delete(account.path())).isTrue();
    }
    task.lands(HALF_PAST_SEVEN, 60);
    damage(1);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(12));

    assertThat(world.held(TABLE)).startsWith("LOST orders-0");
    assertThat(world.isShown(SEVEN)).isFalse();
  }

  private void damage(long entry) throws Exception {
    StoragePath log = ReckonedWorld.LOGS.child("sales").child("orders").child("0");
    StoragePath file =
        world.storage().list(log).stream()
            .map(StoredFile::path)
            .filter(path -> path.name().equals("%020d.json".formatted(entry)))
            .findFirst()
            .orElseThrow();
    assertThat(world.storage().delete(file)).isTrue();
    try (OutputStream out = world.storage().create(file)) {
      out.write('{');
    }
  }

  @Test
  void zombieReckonerIsFencedAndComesBackAfterAPause() throws Exception {
    Reckoner zombie = world.reckoner("w1");
    Reckoner owner = world.reckoner("w2");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    world.run(zombie, Duration.ofSeconds(2));
    world.run(owner, Duration.ofSeconds(2));
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));

    long before = world.ledger().number();
    assertThat(zombie.cycle()).isPositive();
    assertThat(world.ledger().number()).isEqualTo(before);
    world.run(owner, Duration.ofSeconds(10));

    assertThat(world.isShown(SEVEN)).isTrue();
    world.run(zombie, Duration.ofMinutes(6));
    assertThat(world.through(TABLE).orElseThrow()).isAfterOrEqualTo(EIGHT.plusSeconds(300));
  }

  /** It knows only one of the table's topics, which alone would make the hour complete. */
  @Test
  void zombieReckonerWithYesterdaysConfigurationCompletesNothing() throws Exception {
    List<ReckonedTable> yesterday = List.copyOf(world.tables());
    Reckoner zombie = world.reckoner("w1", world.show(), assigned -> yesterday);
    world.kafka().set("orders", "id", 100);
    world.kafka().set("returns", "other", 10);
    world.run(zombie, Duration.ofSeconds(2));
    world.tables().set(0, new ReckonedTable(ReckonedWorld.TABLE, List.of("orders", "returns")));
    Reckoner owner = world.reckoner("w2");
    world.run(owner, Duration.ofSeconds(90));
    world.task(0, "id").lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));

    world.run(zombie, Duration.ofMinutes(6));

    assertThat(world.through(TABLE)).isEmpty();
    assertThat(world.isShown(SEVEN)).isFalse();
  }

  @Test
  void lateFileIsARevisionAndTheManifestStays() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(10));
    world.kafka().set("orders", "id", 107);
    task.lands(HALF_PAST_SEVEN, 7);
    world.run(reckoner, Duration.ofMinutes(70));

    assertThat(manifest(SEVEN).completion().total().records()).isEqualTo(100);
    assertThat(
            world.ledger().totals().values().stream()
                .filter(total -> !total.changed())
                .map(total -> total.total().records() + " " + total.total().late()))
        .containsExactly("107 7");
  }

  /** The pauses for other reckoners would have grown to five minutes. */
  @Test
  void reckonerGoesOnWithinSecondsAfterEachOfManyAcknowledgements() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 1_000);
    task.lands(HALF_PAST_SEVEN, 10);
    world.at(EIGHT);
    world.run(reckoner, Duration.ofMinutes(2));
    for (int each = 0; each < 12; each++) {
      task.loses(10);
      world.run(reckoner, Duration.ofMinutes(1));
      assertThat(
              OperatorRepairs.acknowledge(
                  new OperatorRepair(
                      world.ledgerLog("cli"),
                      world.ledgerTables(),
                      Clock.fixed(world.now(), java.time.ZoneOffset.UTC)),
                  hold -> hold.kind() == HoldKind.LOST,
                  "ann",
                  "known"))
          .as("acknowledged of the losses " + each)
          .hasSize(1);
    }
  }

  @Test
  void lostOffsetsHoldUntilAnOperatorAcknowledgesThem() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 150);
    task.loses(50);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.held(TABLE)).startsWith("LOST orders-0");
    OperatorRepair repair =
        new OperatorRepair(
            world.ledgerLog("cli"),
            world.ledgerTables(),
            Clock.fixed(world.now(), java.time.ZoneOffset.UTC));
    assertThatThrownBy(
            () ->
                OperatorRepairs.acknowledge(
                    repair, hold -> hold.topicPartition() == 7, "ann", "known"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no open hold");
    assertThat(
            OperatorRepairs.acknowledge(
                repair, hold -> hold.kind() == HoldKind.LOST, "ann", "known"))
        .hasSize(1);
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.through(TABLE)).contains(EIGHT);
    assertThat(manifest(SEVEN).acknowledged())
        .extracting(Hold::acknowledged)
        .containsExactly(Optional.of("known"));
    assertThat(repair.open()).isEmpty();
  }

  /** No snapshot waits for the offsets when the operator acknowledges them. */
  @Test
  void lossThatIsAcknowledgedBeforeTheNextSnapshotIsInItsManifest() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 90);
    task.loses(10);
    world.run(reckoner, Duration.ofSeconds(70));
    OperatorRepairs.acknowledge(
        new OperatorRepair(world.ledgerLog("cli"), world.ledgerTables(), Clock.systemUTC()),
        hold -> true,
        "ann",
        "known");
    world.run(reckoner, Duration.ofMinutes(15));
    assertThat(world.through(TABLE).orElseThrow()).isAfter(SEVEN);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(manifest(SEVEN).acknowledged()).extracting(Hold::from).containsExactly(90L);
    assertThat(world.holds()).as("once is enough").isEmpty();
  }

  @Test
  void topicThatIsConfiguredNoMoreHoldsUntilItIsReleased() throws Exception {
    world
        .tables()
        .set(0, new ReckonedTable(ReckonedWorld.TABLE, java.util.List.of("orders", "old")));
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    world.kafka().set("old", "other", 5);
    world.run(reckoner, Duration.ofMinutes(2));
    world.tables().set(0, new ReckonedTable(ReckonedWorld.TABLE, java.util.List.of("orders")));
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(world.through(TABLE)).isEmpty();

    OperatorRepairs.release(
        new OperatorRepair(
            world.ledgerLog("cli"),
            world.ledgerTables(),
            Clock.fixed(world.now(), java.time.ZoneOffset.UTC)),
        "old",
        "ann",
        "merged into orders");
    world.run(reckoner, Duration.ofMinutes(3));

    assertThat(world.through(TABLE).orElseThrow()).isAfterOrEqualTo(EIGHT);
  }

  @Test
  void gapOfALogHoldsAndItsAccountsAreDeleted() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 60);
    world.run(reckoner, Duration.ofMinutes(2));
    // The log was removed, and a new one has other entries with the same numbers.
    world.memory().deleteTree(ReckonedWorld.LOGS);
    ReckonedTask other = world.task(0, "id");
    other.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.held(TABLE)).startsWith("GAP orders-0");
    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.storage().list(world.folders().inbox())).isEmpty();
  }

  @Test
  void nothingIsCompleteByAClockThatIsAhead() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(HALF_PAST_SEVEN);
    world.reckonersAreAhead(Duration.ofHours(1));
    world.run(reckoner, Duration.ofMinutes(3));

    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.through(TABLE)).isEmpty();
    assertThat(reckoner.health().clockAgrees()).isFalse();

    world.reckonersAreAhead(Duration.ZERO);
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(reckoner.health().clockAgrees()).isTrue();
    assertThat(world.through(TABLE).orElseThrow()).isBefore(EIGHT);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(10));
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  @Test
  void topicThatMayNotBeReadIsHeldWithTheCureWhileSomethingIsBehind() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 101);
    world.kafka().unreadable("orders", true);
    task.lands(HALF_PAST_SEVEN, 100);
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.held(TABLE))
        .startsWith("UNREADABLE orders-0: 1 offsets behind")
        .contains("has no permission to READ the topic");

    task.lands(HALF_PAST_SEVEN, 1);
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(world.held(TABLE)).isEmpty();
    assertThat(world.through(TABLE)).isPresent();
  }

  /** The rows are kept for 90 days. */
  @Test
  void rowsOfBatchesAreNotOldByAClockThatIsAhead() throws Exception {
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(HALF_PAST_SEVEN);
    world.run(world.reckoner("w1"), Duration.ofMinutes(2));
    StoragePath day =
        ReckonedWorld.LEDGER
            .child("hive")
            .child("batches")
            .child("log_id=sales")
            .child("day=2026-11-21");
    List<StoredFile> before = world.storage().list(day);
    assertThat(before).isNotEmpty();

    world.reckonersAreAhead(Duration.ofDays(100));
    world.run(world.reckoner("w2"), Duration.ofMinutes(2));

    assertThat(world.storage().list(day)).containsAll(before);
  }

  @Test
  void removedLedgerGoesOnAboveWhatWasShown() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(10));
    long shown = world.ledger().number();
    world.memory().deleteTree(world.folders().ledger());

    Reckoner next = world.reckoner("w2");
    world.kafka().set("orders", "id", 120);
    task.lands(EIGHT.plusSeconds(60), 20);
    world.at(EIGHT.plusSeconds(3600).plus(LATENESS));
    world.run(next, Duration.ofSeconds(20));

    assertThat(world.ledger().number()).isGreaterThan(shown);
    assertThat(world.isShown(EIGHT)).isTrue();
    assertThat(world.through(TABLE)).contains(EIGHT.plusSeconds(3600));
  }

  @Test
  void topicThatWasMadeAgainIsNotCoveredByItsNewLife() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 60);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(2));
    task.nextGeneration("new");
    world.kafka().set("orders", "new", 60);
    task.lands(HALF_PAST_SEVEN, 60);
    world.run(reckoner, Duration.ofMinutes(10));

    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.holds())
        .extracting(Hold::kind, Hold::from, Hold::to)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(HoldKind.DELETED, 60L, Long.MAX_VALUE));
  }

  @Test
  void topicThatIsRemadeWhileKafkaIsAskedIsAskedAgain() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.run(reckoner, Duration.ofMinutes(2));
    world.at(EIGHT.plus(LATENESS));
    world.kafka().meanwhile(() -> world.kafka().set("orders", "new", 5));
    int asked = world.kafka().asked();
    world.run(reckoner, Duration.ofSeconds(10));

    assertThat(world.kafka().asked()).isEqualTo(asked + 2);
    assertThat(world.ledger().state().topics().get("orders"))
        .satisfies(topic -> assertThat(topic.topicId()).isEqualTo("new"));
  }

  @Test
  void endOffsetBelowWhatLandedHoldsAsTruncatedAfterAMinute() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.run(reckoner, Duration.ofMinutes(2));
    world.kafka().set("orders", "id", 90);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(50));
    assertThat(world.ledger().state().lastTick().orElseThrow()).isBefore(EIGHT);
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.held(TABLE)).startsWith("TRUNCATED orders");
    assertThat(world.isShown(SEVEN)).isFalse();

    world.kafka().set("orders", "id", 100);
    world.run(reckoner, Duration.ofMinutes(6));
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  @Test
  void requestAsksForASnapshotAtOnce() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plusSeconds(421));
    world.run(reckoner, Duration.ofSeconds(20));
    Instant before = world.through(TABLE).orElseThrow();
    SnapshotRequests requests = new SnapshotRequests(world.storage(), world.folders());
    var file = requests.request("ann", world.now());
    Instant requested = world.now();
    world.run(reckoner, Duration.ofSeconds(12));

    assertThat(world.storage().find(file)).isEmpty();
    assertThat(world.through(TABLE).orElseThrow())
        .isAfter(before)
        .isAfterOrEqualTo(requested.minus(LATENESS));
  }

  @Test
  void groupWaitsForItsMemberOfAnotherLog() throws Exception {
    world.group("sales", TABLE + "@sales", "default.payments@payments");
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(30));

    assertThat(reckoner.health().through()).doesNotContainKey("group:sales");
    assertThat(reckoner.health().held().get("group:sales")).startsWith("NO_MEMBER");

    world.appendForeign("payments", "default.payments", EIGHT);
    world.run(reckoner, Duration.ofSeconds(12));
    assertThat(reckoner.health().through()).containsEntry("group:sales", EIGHT);
  }

  @Test
  void withoutHiveThereAreManifestsAlone() throws Exception {
    world.withoutHive();
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(10));

    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.complete()).isEmpty();
    assertThat(world.catalog().paths(ReckonedWorld.ORDERS)).isEmpty();
  }

  @Test
  void hivePartitionThatWasDroppedIsAddedBeforeItsCompletion() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    assertThat(world.catalog().paths(ReckonedWorld.ORDERS)).isEmpty();
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(10));

    assertThat(world.catalog().paths(ReckonedWorld.ORDERS))
        .containsExactly(ReckonedWorld.hour(SEVEN).path());
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  /** The tasks had no catalog when they accounted for it, and nobody has registered it since. */
  @Test
  void whatLandedWithoutACatalogIsNotCompleteBeforeItIsRegistered() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    MarkerFiles markers = new MarkerFiles(world.storage(), ReckonedWorld.TABLE.layout());
    StagingDirectories staging =
        new StagingDirectories(world.storage(), "sales", new TopicPartition("orders", 0));
    markers.landsWithoutCatalog(staging.ofClaim(1, UUID.randomUUID()));
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(90));

    assertThat(world.through(TABLE)).isEmpty();
    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.held(TABLE)).startsWith("NOT_REGISTERED orders: default.orders has files");

    markers.registered(ReckonedWorld.ORDERS, staging.ofClaim(2, UUID.randomUUID()));
    world.run(reckoner, Duration.ofSeconds(10));
    assertThat(world.through(TABLE).orElseThrow()).isAfterOrEqualTo(EIGHT);
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  /** Possibly the other topic's task has to register the files. */
  @Test
  void tableThatWaitsForItsRegistrationShowsWhatAnotherTopicWaitsFor() throws Exception {
    world.tables().clear();
    world.tables().add(new ReckonedTable(ReckonedWorld.TABLE, List.of("orders", "returns")));
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask returns = world.task(ReckonedWorld.TABLE, "returns", 0, "r");
    world.kafka().set("returns", "r", 10);
    returns.lands(HALF_PAST_SEVEN, 10);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(90));

    new MarkerFiles(world.storage(), ReckonedWorld.TABLE.layout())
        .landsWithoutCatalog(
            new StagingDirectories(world.storage(), "sales", new TopicPartition("returns", 0))
                .ofClaim(2, UUID.randomUUID()));
    world.kafka().set("returns", "r", 20);
    world.kafka().set("orders", "id", 100);
    world.task(0, "id").lands(EIGHT.plusSeconds(60), 100);
    world.at(EIGHT.plusSeconds(3600).plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(90));

    assertThat(world.held(TABLE)).startsWith("BEHIND returns-0: 10 offsets behind");
  }

  /** A topic was recreated with fewer topic-partitions, while there was no catalog. */
  @Test
  void whatLandedWithoutACatalogForATopicPartitionThatIsGoneIsRegisteredByTheReckoner()
      throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.recorded(ReckonedWorld.TABLE, "orders");
    MarkerFiles markers = new MarkerFiles(world.storage(), ReckonedWorld.TABLE.layout());
    markers.landsWithoutCatalog(
        new StagingDirectories(world.storage(), "sales", new TopicPartition("orders", 7))
            .ofClaim(1, UUID.randomUUID()));
    StoragePath six =
        ReckonedWorld.TABLE.layout().partitionDirectory(ReckonedWorld.hour(SEVEN.minusSeconds(1)));
    world.storage().makeDirectories(six);
    world.storage().create(six.child("orders+7+g1+0+9.avro")).close();
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(90));

    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.catalog().partitions(ReckonedWorld.ORDERS))
        .contains(ReckonedWorld.hour(SEVEN.minusSeconds(1)));
    assertThat(markers.landedWithoutCatalog()).isEmpty();
  }

  @Test
  void droppedTableIsUnseenAndHolds() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.catalog().drop(ReckonedWorld.ORDERS);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(90));

    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.held(TABLE)).startsWith("UNSEEN");
  }

  /** A record that arrives during the request to Kafka may be after the returned end offsets. */
  @Test
  void snapshotIsOfTheTimeBeforeKafkaWasAsked() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.kafka().meanwhile(() -> world.at(world.now().plusSeconds(9)));
    world.run(reckoner, Duration.ofSeconds(30));

    assertThat(Objects.requireNonNull(world.ledger().state().topics().get("orders")).askedAt())
        .contains(EIGHT.plus(LATENESS));
  }

  @Test
  void kafkaThatIsAwayEndsNothing() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.kafka().away(true);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(3));

    assertThat(reckoner.health().problem())
        .hasValueSatisfying(p -> assertThat(p).contains("Kafka"));
    assertThat(world.ledger().number()).isLessThan(10);
    world.kafka().away(false);
    world.run(reckoner, Duration.ofSeconds(15));
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(reckoner.health().problem()).isEmpty();
  }

  @Test
  void ledgerIsFoldedAfterTwoHundredEntries() throws Exception {
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(HALF_PAST_SEVEN, 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofHours(12).plusSeconds(20));

    assertThat(world.ledger().number()).isGreaterThan(200);
    assertThat(world.storage().list(world.folders().log())).hasSizeLessThan(202);
    assertThat(world.through(TABLE)).contains(EIGHT.plusSeconds(12 * 3600));
  }
}
