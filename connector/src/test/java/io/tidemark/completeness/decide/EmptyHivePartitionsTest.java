package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.partition.HivePartition;
import io.tidemark.store.partition.PartitionSpan;
import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EmptyHivePartitionsTest {
  private static final TableName ORDERS = new TableName("default", "orders");
  private static final String NAME = ORDERS.toString();
  private static final Instant SEVEN = Instant.parse("2026-11-21T07:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  /** Hours in UTC since 1970. Example: {@code hour=499879}. */
  private static final class Hours implements Spans {
    @Override
    public Optional<PartitionSpan> of(HivePartitionId hivePartition, long timestamp) {
      return Optional.empty();
    }

    @Override
    public Optional<PartitionSpan> at(TableName table, Instant instant) {
      long hour = instant.getEpochSecond() / 3_600;
      Instant from = Instant.ofEpochSecond(hour * 3_600);
      return Optional.of(
          new PartitionSpan(HivePartition.parse("hour=" + hour), from, from.plus(HOUR)));
    }
  }

  private static HivePartitionId id(Instant hour) {
    return new HivePartitionId(ORDERS, new Hours().at(ORDERS, hour).orElseThrow().partition());
  }

  private static List<Instant> from(EmptyHivePartitions empties) {
    return empties.found().stream().map(total -> total.from().orElseThrow()).toList();
  }

  private static Optional<Instant> made(EmptyHivePartitions empties, Instant before) {
    TableState table = new TableState(List.of("orders"), Optional.of(SEVEN), Optional.empty());
    return empties
        .noted(
            Map.of(NAME, table),
            Map.of(NAME, table.withEmptiesThrough(Optional.of(before))),
            Map.of(NAME, SEVEN.plus(HOUR.multipliedBy(9))),
            Set.of())
        .values()
        .iterator()
        .next()
        .emptiesThrough();
  }

  @Test
  void hivePartitionThatHasBegunIsFoundAndOneThatHasNotEndedIsNot() {
    EmptyHivePartitions empties = new EmptyHivePartitions(Set.of(), Look.NONE, new Hours(), 1_000);

    empties.find(NAME, SEVEN.plusSeconds(300), SEVEN.plus(HOUR.multipliedBy(2)).plusSeconds(300));

    assertThat(from(empties)).containsExactly(SEVEN, SEVEN.plus(HOUR));
  }

  @Test
  void hivePartitionWithRecordsIsPassed() {
    Look look = Look.of(Set.of(id(SEVEN.plus(HOUR))), Set.of());
    EmptyHivePartitions empties =
        new EmptyHivePartitions(Set.of(id(SEVEN)), look, new Hours(), 1_000);

    empties.find(NAME, SEVEN, SEVEN.plus(HOUR.multipliedBy(2)));

    assertThat(from(empties)).containsExactly(SEVEN.plus(HOUR));
    assertThat(made(empties, SEVEN)).contains(SEVEN.plus(HOUR.multipliedBy(2)));
  }

  @Test
  void nothingIsPassedThatTheCatalogHasNotShown() {
    Look look = Look.of(Set.of(id(SEVEN.plus(HOUR))), Set.of());
    EmptyHivePartitions empties = new EmptyHivePartitions(Set.of(), look, new Hours(), 1_000);

    empties.find(NAME, SEVEN, SEVEN.plus(HOUR.multipliedBy(2)));

    assertThat(made(empties, SEVEN)).contains(SEVEN);
  }

  @Test
  void roomIsSharedAndTheRestFollows() {
    EmptyHivePartitions empties = new EmptyHivePartitions(Set.of(), Look.NONE, new Hours(), 3);

    empties.find(NAME, SEVEN, SEVEN.plus(HOUR.multipliedBy(2)));
    empties.find("default.payments", SEVEN, SEVEN.plus(HOUR.multipliedBy(2)));

    assertThat(empties.found())
        .extracting(total -> total.table().table())
        .containsExactly("orders", "orders", "payments");
  }

  @Test
  void totalThatWasNotPassedYetIsKeptHoweverOldItIs() {
    HivePartitionId seven = id(SEVEN);
    HivePartitionTotal total =
        new HivePartitionTotal(
            ORDERS,
            seven.hivePartition(),
            Optional.of(SEVEN),
            Optional.of(SEVEN.plus(HOUR)),
            100,
            1_000,
            1,
            0,
            false);
    for (boolean passed : List.of(false, true)) {
      TableState table =
          new TableState(
                  List.of("orders"), Optional.of(SEVEN.plus(Duration.ofDays(60))), Optional.empty())
              .withEmptiesThrough(Optional.of(passed ? SEVEN.plus(HOUR) : SEVEN));
      Ledger ledger =
          new Ledger(
              7,
              LedgerState.initial()
                  .with(draft -> draft.tables = new TreeMap<>(Map.of(NAME, table))),
              new TreeMap<>(),
              new TreeMap<>(Map.of(seven, new OpenTotal(total, Optional.of(SEVEN), false))));

      assertThat(ledger.checkpoint(UUID.randomUUID(), SEVEN).totals()).hasSize(passed ? 0 : 1);
    }
  }
}
