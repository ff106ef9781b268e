package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.Polling;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** In this order only because the first leaves both workers up, and the second but one. */
@OnRealStack
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class WorkerLossIT {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  @Order(1)
  void survivorTakesOverAndRowsAreExact(RealStack stack) throws Exception {
    stack.startWorkers();
    SourceTopic topic = stack.topic("takeover", 4);
    topic.send(Readings.V1, 0, 1_000);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("takeover", topic)
                .with("tasks.max", 2)
                .with("batch.records", 1_000));
    connector.awaitLanded();

    ConnectWorker killed = workerOfTask(stack, connector, 0);
    ExecutorService background = Executors.newSingleThreadExecutor();
    try {
      CompletableFuture<Void> producing =
          CompletableFuture.runAsync(
              () -> {
                for (long seq = 1_000; seq < 10_000; seq += 500) {
                  topic.send(Readings.V1, seq, seq + 500);
                }
              },
              background);
      long before = connector.log(topic).batches().size();
      Polling.until(
          "more batches are committed",
          MINUTE,
          () ->
              connector.log(topic).batches().size() > before
                  ? Optional.empty()
                  : Optional.of("there are none after the first " + before));
      killed.kill();
      producing.join();
    } finally {
      background.shutdown();
    }
    awaitTasksAwayFrom(killed, connector);
    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
    assertThat(claimants(connector, topic)).as("workers that claimed").hasSizeGreaterThan(1);
  }

  @Test
  @Order(2)
  void workerKilledInMidBatchAndStartedAgainLandsEachRowOnce(RealStack stack) throws Exception {
    SourceTopic topic = stack.topic("killed", 2);
    topic.send(Readings.V1, 0, 15_000);
    ConnectorSettings settings =
        ConnectorSettings.of("killed", topic)
            .with("batch.records", 30_000)
            .with("batch.interval.ms", 600_000)
            .with("avro.codec", "null")
            // So little that a batch spills to its staged files long before it is complete.
            .with("memory.bytes", 4 << 20);
    Deployment connector = stack.deploy(settings);
    LandedLog log = connector.log(topic);
    LandedTable table = connector.table(topic);
    connector.awaitLanded();

    topic.send(Readings.V1, 15_000, 27_000);
    Polling.until(
        "a batch is under way",
        MINUTE,
        () -> table.staged().isEmpty() ? Optional.of("nothing is staged") : Optional.empty());
    List<LogEntry> committed = log.batches();
    assertThat(log.shortfall()).as("a part of the topic is not committed").isPresent();
    for (ConnectWorker worker : stack.services().connect().workers()) {
      worker.kill();
    }
    assertThat(table.staged()).as("what the killed task has left").isNotEmpty();
    topic.send(Readings.V1, 27_000, 30_000);

    stack.services().connect().worker(0).start();
    connector.awaitRunning();
    connector.configure(settings.with("batch.interval.ms", 500));
    connector.awaitLanded();
    table.assertHoldsExactly(topic.produced());
    assertThat(log.batches()).containsAll(committed);
    assertThat(table.staged()).isEmpty();
  }

  private static ConnectWorker workerOfTask(RealStack stack, Deployment connector, int task) {
    String id = connector.status().orElseThrow().tasks().get(task).worker();
    return stack.services().connect().workers().stream()
        .filter(worker -> id.equals(authority(worker)))
        .findFirst()
        .orElseThrow();
  }

  private static String authority(ConnectWorker worker) {
    return URI.create(worker.url()).getAuthority();
  }

  private static void awaitTasksAwayFrom(ConnectWorker killed, Deployment connector) {
    Polling.until(
        "the survivor runs all tasks",
        MINUTE,
        () -> {
          Optional<ConnectorStatus> status = connector.status();
          return status
                  .filter(ConnectorStatus::isRunning)
                  .filter(
                      running ->
                          running.tasks().stream()
                              .noneMatch(task -> task.worker().equals(authority(killed))))
                  .isPresent()
              ? Optional.empty()
              : Optional.of("the status is " + status);
        });
  }

  private static List<String> claimants(Deployment connector, SourceTopic topic) {
    return connector.log(topic).entries().stream()
        .filter(entry -> !entry.isBatch())
        .map(entry -> entry.json().path("claimant").path("worker").asText())
        .distinct()
        .toList();
  }
}
