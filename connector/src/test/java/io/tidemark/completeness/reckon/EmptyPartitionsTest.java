package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.Manifest;
import io.tidemark.completeness.show.SuccessFiles;
import io.tidemark.store.StoragePath;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.log.NumberedLog;
import io.tidemark.store.table.TableDefinition;
import io.tidemark.store.table.TableName;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Hive partitions without records, with {@code completeness.empty.partitions}. */
class EmptyPartitionsTest {
  private static final Instant NINE = EIGHT.plus(Duration.ofHours(1));
  private static final Instant TEN = EIGHT.plus(Duration.ofHours(2));
  private static final String TABLE = ReckonedWorld.ORDERS.toString();

  private static ReckonedWorld world(boolean withEmpties) {
    ReckonedWorld world = new ReckonedWorld();
    world
        .tables()
        .set(
            0,
            new ReckonedTable(
                ReckonedWorld.withEmpties(ReckonedWorld.TABLE, withEmpties), List.of("orders")));
    return world;
  }

  private static StoragePath directory(Instant hour) {
    return ReckonedWorld.TABLE.layout().partitionDirectory(ReckonedWorld.hour(hour));
  }

  private static Manifest manifest(ReckonedWorld world, Instant hour) throws Exception {
    return new SuccessFiles(world.storage()).read(directory(hour)).orElseThrow();
  }

  /** All completions in the ledger, each with its hour, its records and its late records. */
  private static List<String> completions(ReckonedWorld world) throws Exception {
    List<String> all = new ArrayList<>();
    for (List<Completion> each : byEntry(world)) {
      each.forEach(
          completion ->
              all.add(
                  "%s %d %d"
                      .formatted(
                          completion.total().from().orElseThrow(),
                          completion.total().records(),
                          completion.total().late())));
    }
    return all;
  }

  private static List<List<Completion>> byEntry(ReckonedWorld world) throws Exception {
    List<List<Completion>> all = new ArrayList<>();
    for (NumberedEntry<LedgerEntry> entry :
        new NumberedLog<>(world.storage(), world.folders().log(), LedgerEntry.FORMAT).all()) {
      all.add(
          entry.entry().asReckoning().map(LedgerEntry.Reckoning::completions).orElse(List.of()));
    }
    return all;
  }

  /** Makes hour 7 complete, with 100 records. */
  private static ReckonedTask sevenIsComplete(ReckonedWorld world, Reckoner reckoner)
      throws Exception {
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 100);
    task.lands(SEVEN.plusSeconds(60), 100);
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(20));
    assertThat(world.isShown(SEVEN)).isTrue();
    return task;
  }

  private static void until(ReckonedWorld world, Reckoner reckoner, Instant tick) throws Exception {
    world.at(tick.plus(LATENESS));
    world.run(reckoner, Duration.ofSeconds(90));
  }

  @Test
  void hourOfAnIdleTopicIsMadeOnceItIsComplete() throws Exception {
    ReckonedWorld world = world(true);
    Reckoner reckoner = world.reckoner("w1");
    sevenIsComplete(world, reckoner);

    world.run(reckoner, Duration.ofMinutes(30));
    assertThat(world.storage().find(directory(EIGHT))).isEmpty();
    until(world, reckoner, NINE);

    Completion completion = manifest(world, EIGHT).completion();
    assertThat(completion.total().records()).isZero();
    assertThat(completion.total().files()).isZero();
    assertThat(completion.total().from()).contains(EIGHT);
    assertThat(completion.total().until()).contains(NINE);
    assertThat(completion.total().partial()).isFalse();
    assertThat(world.catalog().partitions(ReckonedWorld.ORDERS))
        .contains(ReckonedWorld.hour(EIGHT));
    assertThat(world.complete()).hasSize(2);
    assertThat(world.events())
        .anyMatch(
            id -> id.endsWith("completion/hive-partition/" + TABLE + "/dt=2026-11-21/hour=08"));
    assertThat(world.ledger().state().tables().get(TABLE))
        .matches(table -> table.emptiesThrough().equals(Optional.of(NINE)));
  }

  @Test
  void noneIsMadeUnlessItIsConfigured() throws Exception {
    ReckonedWorld world = world(false);
    Reckoner reckoner = world.reckoner("w1");
    sevenIsComplete(world, reckoner);
    until(world, reckoner, NINE);

    assertThat(world.through(TABLE)).contains(NINE);
    assertThat(world.storage().find(directory(EIGHT))).isEmpty();
    assertThat(world.complete()).hasSize(1);
  }

  @Test
  void noneIsMadeBeforeTheFirstHivePartitionIsComplete() throws Exception {
    ReckonedWorld world = world(true);
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 0);
    task.lands(EIGHT, 0); // an empty batch, by which the log records where it begins
    until(world, reckoner, EIGHT);
    until(world, reckoner, NINE);
    assertThat(world.through(TABLE)).contains(NINE);
    assertThat(completions(world)).isEmpty();

    world.kafka().set("orders", "id", 10);
    task.lands(NINE.plusSeconds(60), 10);
    until(world, reckoner, TEN);
    until(world, reckoner, TEN.plus(Duration.ofHours(1)));

    assertThat(completions(world)).containsExactly(NINE + " 10 0", TEN + " 0 0");
  }

  @Test
  void lateRecordOfAnEmptyHourIsARevision() throws Exception {
    ReckonedWorld world = world(true);
    Reckoner reckoner = world.reckoner("w1");
    ReckonedTask task = sevenIsComplete(world, reckoner);
    until(world, reckoner, NINE);

    world.kafka().set("orders", "id", 105);
    task.lands(EIGHT.plusSeconds(60), 5);
    world.run(reckoner, Duration.ofMinutes(70));

    assertThat(completions(world)).contains(EIGHT + " 0 0", EIGHT + " 5 5").hasSize(4);
    assertThat(manifest(world, EIGHT).completion().total().records()).isZero();
    assertThat(world.events()).anyMatch(id -> id.contains("/revision/hive-partition/"));
  }

  @Test
  void longPauseIsMadeUpForInPartsWithoutAGap() throws Exception {
    ReckonedWorld world = world(true);
    Reckoner before = world.reckoner("w1");
    ReckonedTask task = sevenIsComplete(world, before);
    Instant later = EIGHT.plus(Duration.ofDays(60));
    world.kafka().set("orders", "id", 110);
    task.lands(EIGHT.plus(Duration.ofDays(20)).plusSeconds(60), 10);
    world.at(later.plus(LATENESS));
    world.run(world.reckoner("w2"), Duration.ofMinutes(3));

    assertThat(byEntry(world)).allMatch(each -> each.size() <= 1_000);
    List<String> expected = new ArrayList<>(List.of(SEVEN + " 100 0"));
    for (Instant hour = EIGHT; hour.isBefore(later); hour = hour.plus(Duration.ofHours(1))) {
      boolean landed = hour.equals(EIGHT.plus(Duration.ofDays(20)));
      expected.add(hour + (landed ? " 10 0" : " 0 0"));
    }
    assertThat(completions(world)).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(world.complete()).hasSize(expected.size());
  }

  @Test
  void hivePartitionThatStandsElsewhereIsPassedOverAndHoldsNothing() throws Exception {
    ReckonedWorld world = world(true);
    Reckoner reckoner = world.reckoner("w1");
    sevenIsComplete(world, reckoner);
    TableDefinition table = world.catalog().table(ReckonedWorld.ORDERS).orElseThrow();
    world.catalog().addPartitions(table, List.of(ReckonedWorld.hour(EIGHT)));
    world.catalog().relocatePartition(table, ReckonedWorld.hour(EIGHT), "memory:/elsewhere");
    until(world, reckoner, NINE);
    until(world, reckoner, TEN);

    assertThat(world.through(TABLE)).contains(TEN);
    assertThat(world.holds()).isEmpty();
    assertThat(completions(world)).containsExactly(SEVEN + " 100 0", NINE + " 0 0");
  }

  /** The records are in entries that were folded before the ledger took them. */
  @Test
  void hourWithFilesThatTheLedgerHasNotTakenIsNotSaidToBeEmpty() throws Exception {
    ReckonedWorld world = world(true);
    Reckoner reckoner = world.reckoner("w1");
    sevenIsComplete(world, reckoner);
    world.storage().makeDirectories(directory(EIGHT));
    try (OutputStream file =
        world.storage().create(directory(EIGHT).child("orders+0+g1+7+9.avro"))) {
      file.write(1);
    }
    until(world, reckoner, NINE);
    until(world, reckoner, TEN);

    assertThat(manifest(world, EIGHT).completion().total().partial()).isTrue();
    assertThat(manifest(world, NINE).completion().total().partial()).isFalse();
  }

  @Test
  void hoursWaitWhileTheirTableIsMissingFromHive() throws Exception {
    ReckonedWorld world = world(true);
    Reckoner reckoner = world.reckoner("w1");
    sevenIsComplete(world, reckoner);
    world.catalog().drop(ReckonedWorld.ORDERS);
    until(world, reckoner, NINE);
    assertThat(completions(world)).containsExactly(SEVEN + " 100 0");

    world.catalogHas(ReckonedWorld.TABLE);
    until(world, reckoner, TEN);

    assertThat(completions(world)).containsExactly(SEVEN + " 100 0", EIGHT + " 0 0", NINE + " 0 0");
  }

  @Test
  void tableWhoseDirectoryWasRemovedGetsNoneBack() throws Exception {
    ReckonedWorld world = world(true);
    Reckoner reckoner = world.reckoner("w1");
    sevenIsComplete(world, reckoner);
    world.storage().deleteTree(ReckonedWorld.TABLE.layout().root());
    until(world, reckoner, NINE);

    assertThat(world.storage().find(ReckonedWorld.TABLE.layout().root())).isEmpty();
  }

  @Test
  void outageOfTheStoreDelaysThemAndLosesNone() throws Exception {
    ReckonedWorld world = world(true);
    Reckoner reckoner = world.reckoner("w1");
    sevenIsComplete(world, reckoner);
    world.faulty().failBefore(call -> call.startsWith("makeDirectories /topics"));
    world.at(NINE.plus(LATENESS));
    assertThat(world.runOverFailures(reckoner, Duration.ofSeconds(30))).isPositive();
    assertThat(completions(world)).hasSize(1);
    world.faulty().heal();
    world.runOverFailures(reckoner, Duration.ofSeconds(90));

    assertThat(completions(world)).containsExactly(SEVEN + " 100 0", EIGHT + " 0 0");
  }

  @Test
  void everyCrashLeavesEachHourCompletedOnce() throws Exception {
    for (boolean before : List.of(true, false)) {
      int failed = 0;
      for (int call = 1; crashed(before, call); call++) {
        failed++;
      }
      assertThat(failed).isGreaterThan(30);
    }
  }

  /**
   * Lets the call of this number fail; another reckoner follows each failure.
   *
   * @return false if there were fewer calls
   */
  private static boolean crashed(boolean before, int call) throws Exception {
    ReckonedWorld world = world(true);
    ReckonedTask task = sevenIsComplete(world, world.reckoner("w1"));
    int[] calls = {0};
    Predicate<String> fails = name -> ++calls[0] == call;
    if (before) {
      world.faulty().failBefore(fails);
    } else {
      world.faulty().failAfter(fails);
    }
    Reckoner reckoner = world.reckoner("w2");
    for (Instant tick : List.of(NINE, TEN)) {
      world.at(tick.plus(LATENESS));
      Instant end = world.now().plusSeconds(90);
      while (world.now().isBefore(end)) {
        try {
          world.at(world.now().plus(reckoner.cycle()));
        } catch (Exception e) {
          reckoner = world.reckoner("w3");
          world.at(world.now().plusSeconds(1));
        }
      }
      world.kafka().set("orders", "id", 103);
      if (tick.equals(NINE)) {
        task.lands(NINE.plusSeconds(60), 3);
      }
    }
    world.faulty().heal();
    String fault = "call %d, before %s".formatted(call, before);
    assertThat(completions(world))
        .as(fault)
        .containsExactly(SEVEN + " 100 0", EIGHT + " 0 0", NINE + " 3 0");
    assertThat(world.isShown(EIGHT)).as(fault).isTrue();
    assertThat(world.complete()).as(fault).hasSize(3);
    assertThat(world.catalog().partitions(new TableName("default", "orders")))
        .as(fault)
        .contains(ReckonedWorld.hour(EIGHT));
    return calls[0] >= call;
  }
}
