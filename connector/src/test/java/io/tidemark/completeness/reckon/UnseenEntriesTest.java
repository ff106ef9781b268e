package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LogPointer;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.StoragePath;
import io.tidemark.store.table.Table;
import io.tidemark.store.table.TableDefinition;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hive partitions with landed files that readers do not see, because Hive has another location for
 * them. No completion looks up the Hive partition of a late record again, so only an account, or
 * the look at the entry, makes the hold.
 */
final class UnseenEntriesTest {
  private static final Instant SIX = SEVEN.minusSeconds(600);
  private static final HivePartitionId OF_SIX =
      new HivePartitionId(ReckonedWorld.ORDERS, ReckonedWorld.hour(SIX));
  private static final String TABLE = ReckonedWorld.ORDERS.toString();

  private final ReckonedWorld world = new ReckonedWorld();
  private final ReckonedTask task = world.task(0, "id");
  private final Reckoner reckoner = world.reckoner("w1");

  private void account(long number, UUID attempt, long since, HivePartitionId... unseen)
      throws Exception {
    LogPointer pointer = new LogPointer("orders", 0, number, attempt, since, List.of(unseen));
    StoragePath unused =
        world
            .inbox()
            .put(
                new Account("sales", 0, "w2", new TreeMap<>(), List.of(pointer), List.of()),
                world.now());
  }

  private void account(SettledEntry entry, long since, HivePartitionId... unseen) throws Exception {
    account(entry.number(), entry.attempt(), since, unseen);
  }

  private void isElsewhere(Table table) throws Exception {
    TableDefinition definition = world.catalog().table(table.name()).orElseThrow();
    world.catalog().addPartitions(definition, List.of(ReckonedWorld.hour(SIX)));
    world.catalog().relocatePartition(definition, ReckonedWorld.hour(SIX), "/elsewhere");
  }

  /** Hour 06 is complete; then Hive has another location for it, and records of it land late. */
  private void sixIsComplete() throws Exception {
    task.lands(SIX, 10);
    world.kafka().set("orders", "id", 10);
    world.run(reckoner, Duration.ofMinutes(2));
    assertThat(world.isShown(SIX)).isTrue();
    isElsewhere(ReckonedWorld.TABLE);
  }

  private void sevenIsHeld() throws Exception {
    world.kafka().set("orders", "id", task.next());
    world.at(EIGHT.plus(LATENESS));
    world.run(reckoner, Duration.ofMinutes(3));
    assertThat(world.held(TABLE)).startsWith("UNSEEN");
    assertThat(world.isShown(SEVEN)).isFalse();
  }

  /** The account that had named it is gone. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void entryThatNoAccountDescribesIsLookedUpWhenTheCatalogIsBack(boolean away) throws Exception {
    sixIsComplete();
    task.land(SIX, 10);
    account(task.land(SEVEN.plusSeconds(900), 10), 4);
    world.catalogIsAway(away);
    world.run(reckoner, Duration.ofMinutes(5));
    world.catalogIsAway(false);
    sevenIsHeld();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void accountOfALogThatWasReplacedTakesNothingFromAnother(boolean replaced) throws Exception {
    sixIsComplete();
    task.land(SIX, 10);
    account(task.land(SEVEN.plusSeconds(900), 10), 1, OF_SIX);
    if (replaced) {
      account(5, UUID.randomUUID(), 1, OF_SIX);
    }
    world.run(reckoner, Duration.ofMinutes(5));
    sevenIsHeld();
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "folded", "damaged"})
  void hivePartitionOfAnEntryThatIsNotReadIsHeldByItsAccount(String how) throws Exception {
    task.lands(SEVEN.plusSeconds(600), 10);
    world.kafka().set("orders", "id", 10);
    world.run(reckoner, Duration.ofMinutes(2));
    isElsewhere(ReckonedWorld.TABLE);
    task.land(SIX, 10);
    if (how.equals("folded")) {
      task.land(SEVEN.plusSeconds(700), 10);
      task.fold();
    }
    account(task.land(SEVEN.plusSeconds(900), 10), 1, OF_SIX);
    if (how.equals("damaged")) {
      StoragePath file = ReckonedWorld.LOGS.child("sales/orders/0/%020d.json".formatted(2));
      assertThat(world.storage().delete(file)).isTrue();
      try (OutputStream out = world.storage().create(file)) {
        out.write('x');
      }
    }
    world.run(reckoner, Duration.ofMinutes(15));
    sevenIsHeld();
  }

  /** Its account was put after the ledger had listed the accounts, and before it listed the log. */
  @Test
  void hivePartitionOfAnEntryThatWasFoldedAboveTheLastKnownAccountIsHeld() throws Exception {
    task.lands(SEVEN.plusSeconds(600), 10);
    world.kafka().set("orders", "id", 10);
    world.run(reckoner, Duration.ofMinutes(2));
    isElsewhere(ReckonedWorld.TABLE);
    account(task.land(SEVEN.plusSeconds(700), 10), 2);
    SettledEntry last = task.land(SIX, 10);
    task.fold();
    world.run(reckoner, Duration.ofMinutes(5));
    account(last, 2, OF_SIX);
    world.run(reckoner, Duration.ofMinutes(5));
    sevenIsHeld();
  }

  /** One look has at most 1,000 Hive partitions. */
  @Test
  void correctedHivePartitionBehindAThousandOthersIsReleased() throws Exception {
    Table zeta = ReckonedWorld.table("zeta");
    world.catalogHas(zeta);
    world.tables().add(new ReckonedTable(zeta, List.of("zeta")));
    TableDefinition orders = world.catalog().table(ReckonedWorld.ORDERS).orElseThrow();
    for (int each = 1; each <= 1_000; each++) {
      Instant hour = SEVEN.minus(Duration.ofHours(each));
      world.catalog().addPartitions(orders, List.of(ReckonedWorld.hour(hour)));
      world.catalog().relocatePartition(orders, ReckonedWorld.hour(hour), "/elsewhere");
      SettledEntry landed = task.land(hour, 1);
      if (each == 1_000) {
        task.account(landed);
      }
    }
    world.kafka().set("orders", "id", 1_000);
    world.kafka().set("zeta", "z", 10);
    world.run(reckoner, Duration.ofMinutes(20));
    isElsewhere(zeta);
    world.task(zeta, "zeta", 0, "z").lands(SIX, 10);
    world.run(reckoner, Duration.ofMinutes(20));
    assertThat(world.held(zeta.name().toString())).startsWith("UNSEEN");

    TableDefinition corrected = world.catalog().table(zeta.name()).orElseThrow();
    world
        .catalog()
        .relocatePartition(
            corrected,
            ReckonedWorld.hour(SIX),
            corrected.location() + "/" + ReckonedWorld.hour(SIX).path());
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.held(zeta.name().toString())).doesNotStartWith("UNSEEN");
  }
}
