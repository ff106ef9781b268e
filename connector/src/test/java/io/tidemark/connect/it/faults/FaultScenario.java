package io.tidemark.connect.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.faults.FaultCount;
import io.tidemark.connect.it.landed.LandedLog;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.RowDifference;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.connect.it.stack.SteadyLoad;
import io.tidemark.stack.ConnectRequestException;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.Polling;
import io.tidemark.stack.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.avro.Schema;

/**
 * A test of one fault. A connector lands a steady load from {@link #begin} on. The test takes the
 * steps of the fault, with the last one in {@link #endsWith}. {@link #recovers} then proves that no
 * record is lost or doubled. Used by the test's thread only.
 */
final class FaultScenario implements AutoCloseable {

  /** The longest time of a recovery. A longer one is an error even on a busy machine. */
  private static final Duration RECOVERY = Duration.ofMinutes(3);

  private static final int TOPIC_PARTITIONS = 4;

  private final RealStack stack;
  private final String name;
  private final SourceTopic topic;
  private final SteadyLoad load;
  private final Deployment connector;
  private final Set<RowKey> leftOut = new HashSet<>();
  private final Set<String> told = new HashSet<>();
  private ConnectorSettings settings;
  private long endedNanos;

  private FaultScenario(RealStack stack, SourceTopic topic, ConnectorSettings settings) {
    this.stack = stack;
    this.name = settings.name();
    this.topic = topic;
    this.settings = settings;
    this.load = new SteadyLoad(topic);
    this.connector = stack.deploy(settings);
  }

  /**
   * Does the same as {@link #begin(RealStack, String, UnaryOperator)}, with the settings of every
   * scenario.
   */
  static FaultScenario begin(RealStack stack, String name) {
    return begin(stack, name, settings -> settings);
  }

  /**
   * Returns when the connector lands each of the topic's four topic-partitions, with two tasks
   * unless the settings differ.
   *
   * @param name the name of the connector, its topic and the count in the report
   */
  static FaultScenario begin(
      RealStack stack, String name, UnaryOperator<ConnectorSettings> differing) {
    stack.startWorkers();
    SourceTopic topic = stack.topicOfThePresent(name, TOPIC_PARTITIONS);
    ConnectorSettings settings =
        ConnectorSettings.of(name, topic)
            .with("tasks.max", 2)
            .with("batch.interval.ms", 1_000)
            // New Hive partitions all the time, so that the Metastore is involved.
            .with("partitioner.class", "TimeBasedPartitioner")
            .with("path.format", "'dt'=yyyy-MM-dd/'hour'=HH/'minute'=mm")
            .with("partition.duration.ms", 60_000)
            .with("timestamp.extractor", "RecordField")
            .with("timestamp.field", "taken")
            // All entries are kept, so that all offsets can be followed through the log.
            .with("log.retained.entries", 10_000);
    FaultScenario scenario = new FaultScenario(stack, topic, differing.apply(settings));
    boolean lands = false;
    try {
      scenario.load.begin();
      scenario.connector.awaitAssignedToAllTasks(topic);
      scenario.progresses();
      lands = true;
      return scenario;
    } finally {
      if (!lands) {
        scenario.close();
      }
    }
  }

  SourceTopic topic() {
    return topic;
  }

  Deployment connector() {
    return connector;
  }

  /** The settings of another connector with the topic and the layout of this one. */
  ConnectorSettings settingsOf(String other) {
    return settings.named(other);
  }

  LandedLog log() {
    return connector.log(topic);
  }

  /** Changes the connector's settings, and returns when it runs with them. */
  void configure(UnaryOperator<ConnectorSettings> change) {
    settings = change.apply(settings);
    connector.configure(settings);
  }

  /**
   * Returns when a task reports, during the fault, that it waits for a service.
   *
   * @param state {@code WAITING} or {@code REFUSED}
   * @param service the service with its address in the configuration. Example: {@code store.url
   *     hdfs://localhost:8020}
   * @param cause a part of the service's error
   */
  void says(String state, String service, String cause) {
    String wanted = " (" + service + ") since 20";
    Polling.until(
        name + " says " + state + wanted + " …: … " + cause,
        RECOVERY,
        () -> {
          try {
            List<String> states = connector.said("task-metrics", "Health");
            List<String> reasons = connector.said("task-metrics", "HeldBecause");
            return states.contains(state)
                    && reasons.stream()
                        .anyMatch(text -> text.contains(wanted) && text.contains(cause))
                ? Optional.empty()
                : Optional.of("it says " + states + ": " + reasons);
          } catch (IOException e) {
            return Optional.of(e.toString());
          }
        });
    told.add(service);
  }

  /**
   * Each task has logged one warning while it waited for a service, and no stack trace was logged.
   */
  private void assertSaidOnce() {
    List<String> logged = connector.logged();
    for (String service : told) {
      for (String task : List.of("|task-0]", "|task-1]")) {
        List<String> warnings =
            logged.stream()
                .filter(line -> line.contains(" WARN ") && line.contains(task))
                .filter(line -> line.contains(" (" + service + ") since 20"))
                .toList();
        List<String> ends =
            logged.stream()
                .filter(line -> line.contains(" INFO ") && line.contains(task))
                .filter(line -> line.contains("the wait for "))
                .filter(line -> line.contains(" (" + service + ") has ended after "))
                .toList();
        assertThat(warnings).as("warnings of %s", task).hasSizeLessThanOrEqualTo(1);
        // A task that was stopped while it waited has none.
        assertThat(ends).as("ends of %s", task).hasSizeLessThanOrEqualTo(warnings.size());
      }
      assertThat(logged)
          .as("warnings of the tasks")
          .anyMatch(
              line -> line.contains(" WARN ") && line.contains(" (" + service + ") since 20"));
    }
  }

  /** Returns when all tasks wait for records only. */
  private void works() {
    Polling.until(
        name + " waits for nothing",
        RECOVERY,
        () -> {
          try {
            Set<String> states = Set.copyOf(connector.said("task-metrics", "Health"));
            Set<String> reasons = Set.copyOf(connector.said("task-metrics", "HeldBecause"));
            return states.equals(Set.of("WORKING")) && reasons.equals(Set.of(""))
                ? Optional.empty()
                : Optional.of("it says " + states + ": " + reasons);
          } catch (IOException e) {
            return Optional.of(e.toString());
          }
        });
  }

  /** Lets the fault last for a time. */
  void lasts(Duration time) {
    pause(time.toMillis());
  }

  static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** From now on the readings of a topic-partition are written with another schema. */
  void writesWith(int topicPartition, Schema schema) {
    load.writeWith(topicPartition, schema);
  }

  /** Returns when another batch of each topic-partition has been committed. */
  void progresses() {
    progresses(IntStream.range(0, TOPIC_PARTITIONS).boxed().toList());
  }

  /** Returns when another batch of each of these topic-partitions has been committed. */
  void progresses(List<Integer> topicPartitions) {
    LandedLog log = log();
    List<Long> before = topicPartitions.stream().map(log::next).toList();
    Polling.until(
        name + " lands more in each of " + topicPartitions,
        RECOVERY,
        () -> {
          List<Long> now = topicPartitions.stream().map(log::next).toList();
          for (int i = 0; i < now.size(); i++) {
            if (now.get(i) <= before.get(i)) {
              return Optional.of("the log stood at " + before + " and stands at " + now);
            }
          }
          return Optional.empty();
        });
  }

  /** Ends the load, and returns when all of its records have landed. */
  void quiesces() {
    load.end();
    connector.awaitLanded();
  }

  /** Sends the readings of one turn of the load, which has ended. */
  void sendsOnce() {
    load.begin();
    load.end();
  }

  /** The keys of a range of offsets, in a topic without transactions. */
  List<RowKey> keys(int topicPartition, long from, long to) {
    return topic.produced().stream()
        .filter(key -> key.source() == topicPartition)
        .skip(from)
        .limit(to - from)
        .toList();
  }

  /**
   * Excludes rows that must not land, because an operator skipped them or Kafka lost them first.
   */
  void leavesOut(List<RowKey> rows) {
    leftOut.addAll(rows);
  }

  /** Takes the last step of the fault, starts the time of the recovery, and ends the load. */
  void endsWith(Runnable step) {
    step.run();
    endedNanos = System.nanoTime();
    load.end();
  }

  /**
   * Waits until all produced records are landed, published and registered, no staged or temporary
   * files are left, and all tasks run, without any help. Then compares the rows with the produced
   * ones, and follows all offsets through the log.
   */
  void recovers() {
    Polling.until(name + " recovers", RECOVERY, this::outstanding);
    System.out.printf(
        Locale.ROOT,
        "real fault %s: recovered in %.1f s%n",
        name,
        (System.nanoTime() - endedNanos) / 1e9);

    List<RowKey> expected =
        topic.produced().stream().filter(key -> !leftOut.contains(key)).toList();
    holdsExactly(name, connector.table(topic), expected);
    assertThat(log().unaccounted(topic::end)).isEmpty();
    if (!told.isEmpty()) {
      works();
      assertSaidOnce();
    }
  }

  /**
   * Compares a table with the rows that it must have after a fault.
   *
   * @param name the name of the count in the report
   */
  static void holdsExactly(String name, LandedTable table, List<RowKey> expected) {
    RowDifference difference = RowDifference.between(expected, table.keysInFiles());
    new FaultCount(
            "real-faults-" + name, 1, difference.missing().size(), difference.doubled().size())
        .report();
    table.assertHoldsExactly(expected);
  }

  /** The reason to continue waiting: missing records, or a service that has not recovered yet. */
  private Optional<String> outstanding() {
    try {
      Optional<String> notLanded = connector.notLanded();
      if (notLanded.isPresent()) {
        return notLanded;
      }
      List<String> halfAppended = log().temporaryEntries();
      if (!halfAppended.isEmpty()) {
        return Optional.of("temporary files are left: " + halfAppended);
      }
      Optional<ConnectorStatus> status = connector.status();
      // For the connector itself, Connect may keep the late status UNASSIGNED of its former worker,
      // if it moved while the broker was unavailable.
      return status.filter(ConnectorStatus::tasksAreRunning).isPresent()
          ? Optional.empty()
          : Optional.of("the status is " + status);
    } catch (UncheckedIOException | IllegalStateException | ConnectRequestException e) {
      return Optional.of(e.toString());
    }
  }

  /** Repairs the stack for the next test, also if this one failed midway. */
  @Override
  public void close() {
    for (ServerProcess server : stack.services().processes()) {
      if (!server.isAlive()) {
        server.start();
      }
    }
    load.end();
  }
}
