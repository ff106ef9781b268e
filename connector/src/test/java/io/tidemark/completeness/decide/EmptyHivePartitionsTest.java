package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.store.table.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  private static final TimeSpans HOURS =
      ModelWorld.hours(ORDERS, new TableName("default", "payments"));

  private static HivePartitionId id(Instant hour) {
    return new HivePartitionId(ORDERS, HOURS.at(ORDERS, hour).orElseThrow().partition());
  }

  /** A decision in which empty Hive partitions are looked for from a time until another. */
  private static Draft draft(Look look, Instant after, Instant complete, String... tables) {
    TableState table =
        new TableState(List.of("orders"), Optional.of(SEVEN), Optional.empty())
            .withEmptiesThrough(Optional.of(after));
    Draft draft =
        new Draft(
            Ledger.EMPTY,
            Scene.settings(false, Map.of(), Map.of()),
            new Scene().findings(List.of(), look),
            HOURS,
            complete);
    for (String name : tables) {
      draft.tables.put(name, table);
      draft.through.put(name, complete);
    }
    return draft;
  }

  private static List<Instant> from(List<HivePartitionTotal> found) {
    return found.stream().map(total -> total.from().orElseThrow()).toList();
  }

  private static Optional<Instant> made(Draft draft) {
    return Objects.requireNonNull(draft.tables.get(NAME)).emptiesThrough();
  }

  @Test
  void hivePartitionThatHasBegunIsFoundAndOneThatHasNotEndedIsNot() {
    Draft draft =
        draft(
            new Look(),
            SEVEN.plusSeconds(300),
            SEVEN.plus(HOUR.multipliedBy(2)).plusSeconds(300),
            NAME);

    assertThat(from(new EmptyHivePartitions(draft).find()))
        .containsExactly(SEVEN, SEVEN.plus(HOUR));
  }

  @Test
  void hivePartitionWithRecordsIsPassed() {
    Look look = Scene.look(Set.of(id(SEVEN.plus(HOUR))), Set.of());
    Draft draft = draft(look, SEVEN, SEVEN.plus(HOUR.multipliedBy(2)), NAME);
    draft.totals.put(id(SEVEN), new OpenTotal(total(SEVEN), Optional.empty(), true));
    EmptyHivePartitions empties = new EmptyHivePartitions(draft);

    assertThat(from(empties.find())).containsExactly(SEVEN.plus(HOUR));
    empties.note();
    assertThat(made(draft)).contains(SEVEN.plus(HOUR.multipliedBy(2)));
  }

  @Test
  void nothingIsPassedThatTheCatalogHasNotShown() {
    Look look = Scene.look(Set.of(id(SEVEN.plus(HOUR))), Set.of());
    Draft draft = draft(look, SEVEN, SEVEN.plus(HOUR.multipliedBy(2)), NAME);
    EmptyHivePartitions empties = new EmptyHivePartitions(draft);

    assertThat(empties.find()).hasSize(2);
    empties.note();
    assertThat(made(draft)).contains(SEVEN);
  }

  @Test
  void roomIsSharedAndTheRestFollows() {
    Draft draft =
        draft(new Look(), SEVEN, SEVEN.plus(HOUR.multipliedBy(2)), NAME, "default.payments");
    Completion complete = new Completion(total(SEVEN), 1, SEVEN.plus(HOUR));
    draft.completions.addAll(
        Collections.nCopies(LedgerEntry.Reckoning.COMPLETIONS_MOST - 3, complete));

    assertThat(new EmptyHivePartitions(draft).find())
        .extracting(total -> total.table().table())
        .containsExactly("orders", "orders", "payments");
  }

  private static HivePartitionTotal total(Instant hour) {
    return new HivePartitionTotal(
        ORDERS,
        id(hour).hivePartition(),
        Optional.of(hour),
        Optional.of(hour.plus(HOUR)),
        100,
        1_000,
        1,
        0,
        false);
  }

  @Test
  void totalThatWasNotPassedYetIsKeptHoweverOldItIs() {
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
              new TreeMap<>(
                  Map.of(id(SEVEN), new OpenTotal(total(SEVEN), Optional.of(SEVEN), false))));

      assertThat(ledger.checkpoint(UUID.randomUUID(), SEVEN).totals()).hasSize(passed ? 0 : 1);
    }
  }
}
