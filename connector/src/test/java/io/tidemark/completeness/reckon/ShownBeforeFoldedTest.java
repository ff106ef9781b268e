package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tasks fold their logs as soon as the ledger releases entries, and a reckoner dies at any call: no
 * entry is folded before the ledger has read and shown it.
 */
final class ShownBeforeFoldedTest {
  private static final int ENTRIES = 12;

  @Test
  void reckonerThatDiesBeforeAnyCallLeavesEveryRowToTheNextOne() throws Exception {
    assertThat(tried(true)).isGreaterThan(40);
  }

  @Test
  void reckonerThatDiesAfterAnyCallLeavesEveryRowToTheNextOne() throws Exception {
    assertThat(tried(false)).isGreaterThan(40);
  }

  /** The number of calls at which a reckoner died, one in each run. */
  private static int tried(boolean before) throws Exception {
    for (int call = 1; ; call++) {
      ReckonedWorld world = new ReckonedWorld();
      int[] calls = {0};
      String[] failing = {""};
      int at = call;
      Predicate<String> fails =
          name -> {
            boolean now = ++calls[0] == at;
            failing[0] = now ? name : failing[0];
            return now;
          };
      if (before) {
        world.faulty().failBefore(fails);
      } else {
        world.faulty().failAfter(fails);
      }
      run(world, "call %d".formatted(call));
      if (failing[0].isEmpty()) {
        return call - 1;
      }
    }
  }

  private static void run(ReckonedWorld world, String fault) throws Exception {
    ReckonedTask task = world.task(0, "id");
    world.kafka().set("orders", "id", 10 * ENTRIES);
    for (int entry = 0; entry < ENTRIES / 2; entry++) {
      task.lands(SEVEN.plusSeconds(600), 10);
    }
    go(world, task);
    for (int entry = 0; entry < ENTRIES / 2; entry++) {
      task.lands(SEVEN.plusSeconds(600), 10);
    }
    world.at(EIGHT.plus(LATENESS));
    for (int releases = 0; releases < 3; releases++) {
      go(world, task);
      world.at(world.now().plus(Duration.ofMinutes(11)));
    }
    world.faulty().heal();

    assertThat(task.folded()).as(fault).isEqualTo(ENTRIES - 1);
    assertThat(world.through(ReckonedWorld.ORDERS.toString()).orElseThrow())
        .as(fault)
        .isAfterOrEqualTo(EIGHT);
    assertThat(world.ledger().totals().values())
        .as(fault)
        .singleElement()
        .satisfies(
            open -> {
              assertThat(open.total().records()).isEqualTo(10 * ENTRIES);
              assertThat(open.total().partial()).isFalse();
            });
    assertThat(ReckonerCrashPointsTest.batches(world))
        .as(fault)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, ENTRIES).mapToObj(number -> "0-" + number).toList());
  }

  /** After each step, and each death of a reckoner, the task folds what is released. */
  private static void go(ReckonedWorld world, ReckonedTask task) throws Exception {
    Instant until = world.now().plus(Duration.ofSeconds(70));
    Reckoner reckoner = world.reckoner("w1");
    while (world.now().isBefore(until)) {
      try {
        world.at(world.now().plus(reckoner.cycle()));
      } catch (Exception e) {
        reckoner = world.reckoner("w2");
        world.at(world.now().plusSeconds(1));
      }
      task.foldReleased();
    }
  }
}
