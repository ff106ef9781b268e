package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.ORDERS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static io.tidemark.completeness.reckon.ReckonedWorld.TABLE;
import static io.tidemark.completeness.reckon.ReckonedWorld.hour;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.StoragePath;
import io.tidemark.store.TopicPartition;
import io.tidemark.store.table.LayoutFile;
import io.tidemark.store.table.LogTables;
import io.tidemark.store.table.MarkerFiles;
import io.tidemark.store.table.RecordedLayout;
import io.tidemark.store.table.StagingDirectories;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableLayout;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that the ledger has and the configuration no longer names. */
class FormerTablesTest {
  private static final String FORMER = ORDERS.toString();
  private static final Table RENAMED = ReckonedWorld.table("orders2");

  private static final StoragePath RECORD = TABLE.layout().metadataDirectory().child("layout.json");

  private final ReckonedWorld world = new ReckonedWorld();
  private final ReckonedTask task = world.task(0, "id");

  @BeforeEach
  void someRecordsLand() throws Exception {
    world.recorded(TABLE, "orders");
    world.catalogHas(RENAMED);
    world.kafka().set("orders", "id", 100);
    task.lands(SEVEN.plusSeconds(600), 100);
    world.run(world.reckoner("w1"), Duration.ofMinutes(10));
  }

  /** Restarts the connector with other tables, and lets the hour end. */
  private Reckoner hourEndsWith(ReckonedTable... tables) throws Exception {
    world.tables().clear();
    world.tables().addAll(List.of(tables));
    Reckoner reckoner = world.reckoner("w2");
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(2));
    return reckoner;
  }

  private void moveInHive(String location) throws Exception {
    TableDefinition known = world.catalog().table(ORDERS).orElseThrow();
    world.catalog().addPartitions(known, List.of(hour(SEVEN)));
    world.catalog().relocatePartition(known, hour(SEVEN), location);
  }

  private byte[] removeRecord() throws Exception {
    byte[] content;
    try (var in = world.memory().open(RECORD)) {
      content = in.readAllBytes();
    }
    world.memory().delete(RECORD);
    return content;
  }

  private void restoreRecord(byte[] content) throws Exception {
    try (var out = world.memory().create(RECORD)) {
      out.write(content);
    }
  }

  @Test
  void lastHourOfARenamedTableIsCompleteUnderItsFormerName() throws Exception {
    SettledEntry late = task.land(SEVEN.plusSeconds(1200), 20);
    world.kafka().set("orders", "id", 120);
    Reckoner reckoner = hourEndsWith(new ReckonedTable(RENAMED, List.of("orders")));
    task.account(late); // The former task had committed it to the former table.
    world.run(reckoner, Duration.ofMinutes(2));

    assertThat(world.holds()).isEmpty();
    assertThat(world.through(FORMER)).contains(EIGHT);
    assertThat(world.through(RENAMED.name().toString())).contains(EIGHT);
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.catalog().paths(ORDERS)).contains(hour(SEVEN).path());
    assertThat(Objects.requireNonNull(world.ledger().totals().values().iterator().next()).total())
        .satisfies(total -> assertThat(total.records()).isEqualTo(120));
  }

  @Test
  void lastHourOfATableWhoseOnlyTopicWasTakenOutIsComplete() throws Exception {
    hourEndsWith();

    assertThat(world.holds()).isEmpty();
    assertThat(world.through(FORMER)).contains(EIGHT);
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  /** Without a catalog a table may be moved: here to another root and back. */
  @Test
  void manifestIsInTheRootInWhichRecordsLandedLast() throws Exception {
    world.withoutHive();
    TableLayout other = TableLayout.of(new StoragePath("/elsewhere"), "orders");
    new LogTables(world.memory(), ReckonedWorld.LOGS.child("sales")).add(ORDERS, other, "orders");
    new LayoutFile(world.memory(), other).put(RecordedLayout.of(TABLE.partitioning()));
    hourEndsWith();

    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.memory().find(other.partitionDirectory(hour(SEVEN)))).isEmpty();
  }

  @Test
  void unseenHivePartitionOfAFormerTableIsLookedUpUntilItIsSeen() throws Exception {
    moveInHive("/elsewhere");
    Reckoner reckoner = hourEndsWith(new ReckonedTable(RENAMED, List.of("orders")));
    assertThat(world.held(FORMER)).startsWith("UNSEEN");
    assertThat(world.isShown(SEVEN)).isFalse();

    moveInHive(world.memory().location() + TABLE.layout().partitionDirectory(hour(SEVEN)).value());
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(world.holds()).isEmpty();
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  /** No task has the former table, so the reckoner registers its files. */
  @Test
  void whatLandedInAFormerTableWithoutACatalogIsRegisteredBeforeItIsComplete() throws Exception {
    MarkerFiles markers = new MarkerFiles(world.storage(), TABLE.layout());
    markers.landsWithoutCatalog(
        new StagingDirectories(world.storage(), "sales", new TopicPartition("orders", 0))
            .ofClaim(1, UUID.randomUUID()));
    StoragePath six = TABLE.layout().partitionDirectory(hour(SEVEN.minusSeconds(1)));
    world.storage().makeDirectories(six);
    world.storage().create(six.child("orders+0+g1+0+9.avro")).close();
    hourEndsWith(new ReckonedTable(RENAMED, List.of("orders")));

    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.catalog().paths(ORDERS)).contains(hour(SEVEN.minusSeconds(1)).path());
    assertThat(markers.landedWithoutCatalog()).isEmpty();
  }

  @Test
  void recordIsReadOnceItIsRestored() throws Exception {
    byte[] content = removeRecord();
    Reckoner reckoner = hourEndsWith();
    assertThat(world.held(FORMER)).startsWith("UNSEEN");

    restoreRecord(content);
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(world.holds()).isEmpty();
    assertThat(world.isShown(SEVEN)).isTrue();
  }

  @Test
  void hourThatIsReadWithoutTheRecordIsCompleteOnceItIsRestored() throws Exception {
    SettledEntry late = task.land(EIGHT.plusSeconds(1200), 20);
    world.kafka().set("orders", "id", 120);
    byte[] content = removeRecord();
    Reckoner reckoner = hourEndsWith();
    task.account(late);
    world.run(reckoner, Duration.ofMinutes(3));
    world.at(EIGHT.plusSeconds(3600).plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(world.isShown(EIGHT)).isFalse();

    restoreRecord(content);
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(world.holds()).isEmpty();
    assertThat(world.isShown(EIGHT)).isTrue();
  }

  @Test
  void topicThatWasTakenOutIsPutBackOrReleased() throws Exception {
    world.kafka().set("orders", "id", 130);
    ReckonedTable both = new ReckonedTable(RENAMED, List.of("payments"));
    world.kafka().set("payments", "idp", 0);
    world.task(RENAMED, "payments", 0, "idp").lands(SEVEN, 0); // Its log records where it begins.
    Reckoner reckoner = hourEndsWith(both);
    assertThat(world.held(FORMER)).startsWith("NOT_CONFIGURED orders-0: 30 offsets behind");

    OperatorRepairs.release(
        new OperatorRepair(
            world.ledgerLog("cli"), world.ledgerTables(), Clock.fixed(world.now(), ZoneOffset.UTC)),
        "orders",
        "ann",
        "another connector has it");
    world.run(reckoner, Duration.ofMinutes(6));
    assertThat(world.held(FORMER)).isEmpty();
    assertThat(world.held(RENAMED.name().toString())).isEmpty();
  }

  @Test
  void topicThatWasTakenOutCanBeReleasedAlsoIfNoAnswerAboutItIsKnown() throws Exception {
    world.kafka().set("orders", "id", 130);
    world.kafka().outdated("orders", Optional.empty());
    ReckonedTable both = new ReckonedTable(RENAMED, List.of("payments"));
    world.kafka().set("payments", "idp", 0);
    world.task(RENAMED, "payments", 0, "idp").lands(SEVEN, 0);
    Reckoner unused = hourEndsWith(both);

    assertThat(world.held(FORMER)).startsWith("NOT_CONFIGURED orders: Kafka's answers did not");
  }

  @Test
  void tableOfANewNameWaitsForATopicOfThePatternThatKafkaDoesNotListNow() throws Exception {
    world.kafka().remove("orders");
    world.kafka().set("payments", "idp", 0);
    world.task(RENAMED, "payments", 0, "idp").lands(SEVEN, 0);
    Reckoner reckoner =
        world.reckoner(
            "w2",
            world.show(),
            known -> {
              Set<String> topics = new TreeSet<>(known);
              topics.add("payments");
              return List.of(new ReckonedTable(RENAMED, List.copyOf(topics)));
            });
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(3));

    assertThat(world.held(RENAMED.name().toString())).startsWith("DELETED orders-0");
  }
}
