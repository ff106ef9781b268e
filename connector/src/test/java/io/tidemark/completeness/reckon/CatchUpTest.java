package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.EIGHT;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.store.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A ledger that was unavailable for long: it reads 1,000 logs with many entries, and each call to
 * the store takes 20 ms in one of 8 threads. {@code -Dio.tidemark.scale=full} has 90 entries a log.
 */
final class CatchUpTest {
  private static final int LOGS = 1_000;
  private static final int ENTRIES =
      System.getProperty("io.tidemark.scale", "").equals("full") ? 90 : 15;
  private static final int CYCLES_MEASURED = 5;
  private static final Duration CALL_OF_A_THREAD = Duration.ofNanos(20_000_000 / 8);

  private final ReckonedWorld world = new ReckonedWorld();
  private final List<ReckonedTask> tasks = new ArrayList<>();
  private Duration slowest = Duration.ZERO;

  @Test
  void thousandLogsAreReadInTurnAndSnapshotsStayOnTime() throws Exception {
    land();
    long before = usedHeap();
    world
        .faulty()
        .failBefore(
            call -> {
              if (call.contains(" " + ReckonedWorld.LOGS)) {
                world.at(world.now().plus(CALL_OF_A_THREAD));
              }
              return false;
            });
    Instant begun = world.now();
    Reckoner reckoner = world.reckoner("w1");
    long most = 0;
    int cycles = 0;
    while (read() < (long) LOGS * ENTRIES) {
      Instant step = world.now();
      Duration pause = reckoner.cycle();
      Duration took = Duration.between(step, world.now());
      slowest = took.compareTo(slowest) > 0 ? took : slowest;
      world.at(world.now().plus(pause));
      if (++cycles % CYCLES_MEASURED == 0) {
        most = Math.max(most, usedHeap() - before);
      }
    }

    Duration needed = Duration.between(begun, world.now());
    assertThat((double) LOGS * ENTRIES / needed.toSeconds())
        .as("entries a second, in %s", needed)
        .isGreaterThan(320);
    assertThat(slowest).as("one pass").isLessThan(Duration.ofSeconds(10));
    assertThat(most).as("heap in bytes").isLessThan(256L << 20);
    world.at(EIGHT.plus(ReckonedWorld.LATENESS));
    world.run(reckoner, Duration.ofMinutes(1));
    assertThat(world.complete()).hasSize(10);
  }

  private void land() throws Exception {
    world.tables().clear();
    for (int i = 0; i < 10; i++) {
      String topic = "orders%04d".formatted(i);
      Table table = ReckonedWorld.table(topic);
      world.catalogHas(table);
      world.tables().add(new ReckonedTable(table, List.of(topic)));
      long[] ends = new long[LOGS / 10];
      Arrays.fill(ends, 10L * ENTRIES);
      world.kafka().set(topic, "id-" + topic, ends);
      for (int topicPartition = 0; topicPartition < LOGS / 10; topicPartition++) {
        tasks.add(world.task(table, topic, topicPartition, "id-" + topic));
      }
    }
    for (ReckonedTask task : tasks) {
      for (int entry = 1; entry < ENTRIES; entry++) {
        assertThat(task.land(SEVEN.plusSeconds(600), 10).number()).isEqualTo(entry);
      }
      task.lands(SEVEN.plusSeconds(600), 10);
    }
  }

  /** The number of entries that the ledger has read. The logs are read in turn. */
  private long read() throws Exception {
    LedgerState state = world.ledger().state();
    return state.topics().values().stream()
        .flatMap(topic -> topic.at().values().stream())
        .mapToLong(Position::number)
        .sum();
  }

  private static long usedHeap() {
    System.gc(); // What other tests have left is not the ledger's.
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
