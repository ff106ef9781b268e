package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two topics of a pattern land in one table. Kafka lists only one of them, because the connector's
 * own client may not describe the other one. A task has both.
 */
class AssignedTopicsTest {
  private static final Instant HALF_PAST_SEVEN = SEVEN.plusSeconds(1800);
  private static final String TABLE = "default.orders";
  private static final String HIDDEN = "orders-eu";

  private final ReckonedWorld world = new ReckonedWorld();
  private final Set<String> listed = new TreeSet<>(Set.of("orders"));
  private final ReckonedTask task = world.task(0, "id");
  private final Reckoner reckoner =
      world.reckoner(
          "w1",
          world.show(),
          assigned -> {
            Set<String> all = new TreeSet<>(listed);
            all.addAll(assigned);
            return List.of(new ReckonedTable(ReckonedWorld.TABLE, List.copyOf(all)));
          });

  @BeforeEach
  void theHiddenTopicHasRecords() throws Exception {
    world.kafka().set("orders", "id", 100);
    world.kafka().set(HIDDEN, "ideu", 50);
    world.kafka().hidden(HIDDEN, true);
    task.account(Map.of("orders", List.of(0), HIDDEN, List.of(0)), task.land(HALF_PAST_SEVEN, 100));
    world.at(EIGHT.plus(LATENESS));
  }

  @Test
  void tableOfAHiddenTopicWaitsUntilItsRecordsHaveLanded() throws Exception {
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.held(TABLE))
        .startsWith("HIDDEN orders-eu-0: task 0 (worker 4711@w1) had it at 2026-11-21T07:10:00Z.")
        .contains("allow that user to DESCRIBE the topic", "tidemark repair --release");

    world.kafka().hidden(HIDDEN, false);
    listed.add(HIDDEN);
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.isShown(SEVEN)).isFalse();
    world.task(ReckonedWorld.TABLE, HIDDEN, 0, "ideu").lands(HALF_PAST_SEVEN, 50);
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.ledger().state().topic(HIDDEN).assigned()).isEmpty();
  }

  /** The task may be dead, so no account of it will come. */
  @Test
  void releasedTopicHoldsNothingAnyMore() throws Exception {
    world.run(reckoner, Duration.ofHours(5));
    assertThat(world.held(TABLE)).startsWith("HIDDEN");

    OperatorRepairs.release(
        new OperatorRepair(world.ledgerLog("cli"), world.ledgerTables(), Clock.systemUTC()),
        HIDDEN,
        "ann",
        "deleted");
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.ledger().state().topics()).containsOnlyKeys("orders");
  }

  @Test
  void topicWhoseTaskReportsWithoutItHoldsForTwoHours() throws Exception {
    world.run(reckoner, Duration.ofMinutes(5));
    task.account(Map.of("orders", List.of(0)));
    world.run(reckoner, Duration.ofMinutes(119));
    assertThat(world.held(TABLE)).startsWith("HIDDEN").contains("it is awaited until");
    world.run(reckoner, Duration.ofMinutes(15));

    assertThat(world.isShown(SEVEN)).isTrue();
    assertThat(world.ledger().state().topics()).containsOnlyKeys("orders");
    assertThat(world.storage().list(world.folders().inbox())).isEmpty();
  }

  /** Kafka may also answer for another cluster, or its metadata may be outdated. */
  @Test
  void topicThatATaskHasIsNotDeleted() throws Exception {
    world.kafka().hidden(HIDDEN, false);
    world.kafka().remove(HIDDEN);
    world.run(reckoner, Duration.ofMinutes(30));

    assertThat(world.isShown(SEVEN)).isFalse();
    assertThat(world.held(TABLE)).startsWith("HIDDEN orders-eu-0");
  }

  @Test
  void newTopicPartitionOfATaskHoldsUntilASnapshotHasIt() throws Exception {
    listed.add(HIDDEN);
    world.kafka().hidden(HIDDEN, false);
    ReckonedTask other = world.task(ReckonedWorld.TABLE, HIDDEN, 0, "ideu");
    other.lands(HALF_PAST_SEVEN, 50);
    world.run(reckoner, Duration.ofMinutes(4));
    assertThat(world.isShown(SEVEN)).isTrue();

    task.account(Map.of(HIDDEN, List.of(0, 1)));
    world.run(reckoner, Duration.ofMinutes(10));
    assertThat(world.held(TABLE)).startsWith("HIDDEN orders-eu-1");
    world.kafka().set(HIDDEN, "ideu", 50, 0);
    world.task(ReckonedWorld.TABLE, HIDDEN, 1, "ideu").lands(SEVEN, 0); // where its log begins
    world.run(reckoner, Duration.ofMinutes(6));
    assertThat(world.held(TABLE)).isEmpty();
  }
}
