package io.tidemark.connect.it.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.faults.FaultCount;
import io.tidemark.connect.it.landed.RowDifference;
import io.tidemark.connect.it.landed.RowKey;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.connect.it.stack.SteadyLoad;
import io.tidemark.stack.ConnectRequestException;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.Polling;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A test of one fault in containers. A connector lands a steady load from {@link #begin} on. The
 * test takes the steps of the fault, with the last one in {@link #endsWith}. {@link #recovers} then
 * proves that no record is lost or doubled. Used by the test's thread only.
 */
final class DockerScenario implements AutoCloseable {

  /** The longest time of a recovery. A longer one is an error even on a busy machine. */
  private static final Duration RECOVERY = Duration.ofMinutes(4);

  /** Longer than the sessions of workers and consumers. */
  private static final Duration LATE = Duration.ofSeconds(15);

  private static final int TOPIC_PARTITIONS = 4;
  private static final int REPLICAS = 3;
  private static final String BYTES = "org.apache.kafka.connect.converters.ByteArrayConverter";

  private final DockerStack stack;
  private final String name;
  private final SourceTopic topic;
  private final SteadyLoad load;
  private long endedNanos;

  private DockerScenario(DockerStack stack, String name) {
    this.stack = stack;
    this.name = name;
    this.topic = stack.cluster().topicOfThePresent(name, TOPIC_PARTITIONS, REPLICAS);
    this.load = new SteadyLoad(topic);
  }

  /**
   * Returns when the connector lands the topic's topic-partitions, with two tasks.
   *
   * @param name the name of the connector, its topic, its table and the count in the report
   */
  static DockerScenario begin(DockerStack stack, String name) {
    DockerScenario scenario = new DockerScenario(stack, name);
    boolean lands = false;
    try {
      stack.connect().configure(name, scenario.settings());
      scenario.load.begin();
      stack.connect().awaitRunning(name, RECOVERY);
      scenario.awaitTaskOnEachWorker();
      scenario.progresses();
      lands = true;
      return scenario;
    } finally {
      if (!lands) {
        scenario.close();
      }
    }
  }

  private void awaitTaskOnEachWorker() {
    Polling.until(
        "each worker has a task of " + name,
        RECOVERY,
        () -> {
          Optional<ConnectorStatus> status = stack.connect().status(name);
          long workers =
              status.stream()
                  .flatMap(each -> each.tasks().stream())
                  .map(ConnectorStatus.Task::worker)
                  .distinct()
                  .count();
          return workers == DockerStack.WORKERS.size()
              ? Optional.empty()
              : Optional.of("the status is " + status);
        });
  }

  private Map<String, String> settings() {
    Map<String, String> config = new HashMap<>();
    config.put("name", name);
    config.put("connector.class", "io.tidemark.connect.TidemarkSinkConnector");
    config.put("tasks.max", "2");
    config.put("topics", topic.name());
    config.put("value.converter", BYTES);
    config.put("consumer.override.isolation.level", "read_committed");
    config.put("kafka.bootstrap.servers", "kafka:9092,kafka-2:9092,kafka-3:9092");
    config.put("schema.registry.url", "http://schema-registry:8081/apis/ccompat/v7");
    config.put("store.url", "hdfs://name-node:8020");
    config.put("hadoop.conf.dir", "/etc/hadoop");
    config.put("hive.integration", "true");
    config.put("hive.metastore.uris", "thrift://metastore:9083");
    // Large files, which take time to write.
    config.put("avro.codec", "null");
    config.put("batch.interval.ms", "1000");
    config.put("retry.backoff.ms", "1000");
    // New Hive partitions all the time, so that the Metastore is involved.
    config.put("partitioner.class", "TimeBasedPartitioner");
    config.put("path.format", "'dt'=yyyy-MM-dd/'hour'=HH/'minute'=mm");
    config.put("partition.duration.ms", "60000");
    config.put("timestamp.extractor", "RecordField");
    config.put("timestamp.field", "taken");
    return config;
  }

  /** Lets the fault last for a time. */
  void lasts(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Sends this number of additional readings to each topic-partition at once. */
  void bursts(int readings) {
    load.burst(readings);
  }

  /** Fails if anything lands within this time. */
  void standsStill(Duration time) {
    Map<Integer, Long> before = landed();
    lasts(time);
    assertThat(landed()).as("what has landed of %s", name).isEqualTo(before);
  }

  /** Returns when more records of each topic-partition have landed. */
  void progresses() {
    Map<Integer, Long> before = landed();
    Polling.until(
        name + " lands more in each topic-partition",
        RECOVERY,
        () -> {
          Map<Integer, Long> now = landed();
          for (int i = 0; i < TOPIC_PARTITIONS; i++) {
            if (now.getOrDefault(i, 0L) <= before.getOrDefault(i, 0L)) {
              return Optional.of("it stood at " + before + " and stands at " + now);
            }
          }
          return Optional.empty();
        });
  }

  /**
   * The offsets of the log, as the connector has committed them to Kafka: all records below them
   * have landed. The broker that knows them may be lost in a fault, until another one has taken
   * over.
   */
  private Map<Integer, Long> landed() {
    Map<Integer, Long> landed = new HashMap<>();
    Polling.until(
        "Kafka tells the offsets of " + name,
        RECOVERY,
        () -> {
          try {
            RealStack.joined(
                    stack
                        .cluster()
                        .admin()
                        .listConsumerGroupOffsets("connect-" + name)
                        .partitionsToOffsetAndMetadata(),
                    "the offsets of " + name)
                .forEach(
                    (topicPartition, offset) ->
                        landed.put(topicPartition.partition(), offset.offset()));
            return Optional.empty();
          } catch (IllegalStateException e) {
            return Optional.of(e + ": " + e.getCause());
          }
        });
    return landed;
  }

  /** Takes the last step of the fault, starts the time of the recovery, and ends the load. */
  void endsWith(Runnable step) {
    step.run();
    endedNanos = System.nanoTime();
    load.end();
  }

  /**
   * Waits until all produced records have landed and are in Hive, and all tasks run, without any
   * help. Then compares Hive's rows with the produced ones.
   */
  void recovers() {
    Polling.until(name + " recovers", RECOVERY, this::outstanding);
    System.out.printf(
        Locale.ROOT,
        "docker fault %s: recovered in %.1f s%n",
        name,
        (System.nanoTime() - endedNanos) / 1e9);
    List<RowKey> rows = rows();
    RowDifference difference = RowDifference.between(topic.produced(), rows);
    new FaultCount("docker-" + name, 1, difference.missing().size(), difference.doubled().size())
        .report();
    RowDifference.assertNone("Hive's " + table(), topic.produced(), rows);
  }

  /** Fails if rows appear twice within the time that a former worker may need. */
  void staysSo() {
    lasts(LATE);
    RowDifference.assertNone("Hive's " + table(), topic.produced(), rows());
  }

  private String table() {
    return "`" + name.replace('-', '_') + "`";
  }

  private List<RowKey> rows() {
    try {
      return stack.hive().query("SELECT source, seq FROM " + table()).stream()
          .map(row -> new RowKey((Integer) row.get(0), (Long) row.get(1)))
          .toList();
    } catch (SQLException e) {
      throw new IllegalStateException(table(), e);
    }
  }

  /** The reason to continue waiting: missing records, or a service that has not recovered yet. */
  private Optional<String> outstanding() {
    try {
      Map<Integer, Long> landed = landed();
      for (int i = 0; i < TOPIC_PARTITIONS; i++) {
        long end = topic.end(i);
        if (landed.getOrDefault(i, 0L) < end) {
          return Optional.of("%s-%d stands at %s of %d".formatted(name, i, landed.get(i), end));
        }
      }
      Optional<ConnectorStatus> status = stack.connect().status(name);
      status
          .flatMap(ConnectorStatus::failure)
          .ifPresent(
              failure -> {
                throw new AssertionError(failure);
              });
      if (status.filter(ConnectorStatus::tasksAreRunning).isEmpty()) {
        return Optional.of("the status is " + status);
      }
      int rows = rows().size();
      int produced = topic.produced().size();
      return rows >= produced
          ? Optional.empty()
          : Optional.of("Hive has %d rows of %d".formatted(rows, produced));
    } catch (UncheckedIOException | IllegalStateException | ConnectRequestException e) {
      return Optional.of(e.toString());
    }
  }

  /** Repairs all containers for the next test, also if this one failed midway. */
  @Override
  public void close() {
    try {
      stack.mend();
    } finally {
      load.end();
    }
    if (stack.connect().status(name).isPresent()) {
      stack.connect().delete(name);
    }
  }
}
