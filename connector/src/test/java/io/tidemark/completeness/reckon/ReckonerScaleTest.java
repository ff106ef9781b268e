package io.tidemark.completeness.reckon;

import static io.tidemark.completeness.reckon.ReckonedWorld.LATENESS;
import static io.tidemark.completeness.reckon.ReckonedWorld.SEVEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.Account;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.store.table.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Ledgers of many topic-partitions, tables and Hive partitions. The reckoner's calls of the store
 * are counted and bounded. The time of a cycle and the used heap are only printed.
 */
class ReckonerScaleTest {
  private static final int ENTRIES_AN_ACCOUNT = 20;

  /** Runs for minutes instead of seconds. */
  private static final boolean FULL = System.getProperty("io.tidemark.scale", "").equals("full");

  private final ReckonedWorld world = new ReckonedWorld();
  private final TreeMap<String, Integer> calls = new TreeMap<>();
  private final List<ReckonedTask> tasks = new ArrayList<>();
  private long slowestNs;
  private int cycles;

  private void count() {
    world
        .faulty()
        .failBefore(
            call -> {
              calls.merge(call.substring(0, call.indexOf(' ')), 1, Integer::sum);
              return false;
            });
  }

  /** Tables of one topic each. */
  private void tables(int tables, int topicPartitions) {
    world.tables().clear();
    for (int i = 0; i < tables; i++) {
      String topic = "orders%04d".formatted(i);
      Table table = ReckonedWorld.table(topic);
      world.catalogHas(table);
      world.tables().add(new ReckonedTable(table, List.of(topic)));
      for (int topicPartition = 0; topicPartition < topicPartitions; topicPartition++) {
        tasks.add(world.task(table, topic, topicPartition, "id-" + topic));
      }
      produced(topic, topicPartitions, 0);
    }
  }

  private void produced(String topic, int topicPartitions, long each) {
    long[] ends = new long[topicPartitions];
    Arrays.fill(ends, each);
    world.kafka().set(topic, "id-" + topic, ends);
  }

  /** Each task lands records with a time. One file contains the accounts of many tasks. */
  private void land(Instant time, long records) throws Exception {
    List<SettledEntry> entries = new ArrayList<>();
    for (ReckonedTask task : tasks) {
      entries.add(task.land(time, records));
    }
    for (int i = 0; i < entries.size(); i += ENTRIES_AN_ACCOUNT) {
      var unused =
          world
              .inbox()
              .put(
                  new Account(
                      "sales",
                      i / ENTRIES_AN_ACCOUNT,
                      "4711@w1",
                      new TreeMap<>(),
                      ReckonedTask.pointers(
                          entries.subList(i, Math.min(entries.size(), i + ENTRIES_AN_ACCOUNT))),
                      List.of()),
                  world.now());
    }
  }

  private void run(Reckoner reckoner, Duration time) throws Exception {
    Instant until = world.now().plus(time);
    while (world.now().isBefore(until)) {
      long began = System.nanoTime();
      Duration pause = reckoner.cycle();
      slowestNs = Math.max(slowestNs, System.nanoTime() - began);
      cycles++;
      world.at(world.now().plus(pause));
    }
  }

  private void print(String name) {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    System.out.printf(
        "scale: %s: %d cycles, the slowest %d ms; %s; heap with the world %d MiB%n",
        name,
        cycles,
        slowestNs / 1_000_000,
        calls,
        (runtime.totalMemory() - runtime.freeMemory()) >> 20);
  }

  /** Flushes every five minutes for an hour, then the hour ends. */
  private void hour(int tables, int topicPartitions) throws Exception {
    tables(tables, topicPartitions);
    count();
    Reckoner reckoner = world.reckoner("w1");
    world.at(SEVEN);
    for (int flush = 1; flush <= 12; flush++) {
      for (int i = 0; i < tables; i++) {
        produced("orders%04d".formatted(i), topicPartitions, 10L * flush);
      }
      land(SEVEN.plusSeconds(60L * flush), 10);
      run(reckoner, Duration.ofMinutes(5));
    }
    run(reckoner, LATENESS.plusMinutes(1));
    assertThat(world.ledger().state().tables()).hasSize(tables);
    assertThat(world.ledger().state().tables().values())
        .allSatisfy(
            table ->
                assertThat(table.through())
                    .hasValueSatisfying(
                        through -> assertThat(through).isAfterOrEqualTo(SEVEN.plusSeconds(3600))));
  }

  @Test
  void thousandTopicPartitions() throws Exception {
    hour(10, 100);
    print("1,000 topic-partitions in 10 tables, an hour");
    int callsAnHour = calls.values().stream().mapToInt(Integer::intValue).sum();
    int entries = 12 * 1_000;
    assertThat(callsAnHour).as("each entry is opened once: %s", calls).isLessThan(entries + 3_750);
  }

  @Test
  @EnabledIfSystemProperty(named = "io.tidemark.scale", matches = "full")
  void tenThousandTopicPartitions() throws Exception {
    hour(100, 100);
    print("10,000 topic-partitions in 100 tables, an hour");
  }

  @Test
  @EnabledIfSystemProperty(named = "io.tidemark.scale", matches = "full")
  void topOfTheHourOfManyTables() throws Exception {
    hour(1_800, 1);
    print("1,800 tables, an hour");
  }

  /** All hours become complete together, with at most 1,000 completions in an entry. */
  @Test
  void backfillOfManyHours() throws Exception {
    int hours = FULL ? 87_600 : 2_000;
    tables(1, 1);
    produced("orders0000", 1, 10L * hours);
    count();
    Reckoner reckoner = world.reckoner("w1");
    Instant first = SEVEN.minus(Duration.ofHours(hours));
    for (int i = 0; i < hours; i += 100) {
      List<SettledEntry> entries = new ArrayList<>();
      for (int hour = i; hour < Math.min(i + 100, hours); hour++) {
        entries.add(tasks.get(0).land(first.plus(Duration.ofHours(hour)), 10));
      }
      tasks.get(0).account(entries.get(entries.size() - 1));
      run(reckoner, Duration.ofSeconds(6));
      tasks.get(0).fold();
    }
    run(reckoner, Duration.ofMinutes(20));
    print("a backfill of %,d hours".formatted(hours));
    assertThat(world.complete()).hasSize(hours);
  }
}
