package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.landed.LandedLog;
import io.tidemark.connect.it.landed.LandedTable;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.stack.ConnectWorker;
import io.tidemark.stack.Polling;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** In this order only because the last leaves but one worker up. */
@OnRealStack
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class WorkerLossIT {

  /** In the second round the survivor of the first is killed. */
  @Test
  @Order(1)
  void survivorTakesOverAndRowsAreExact(RealStack stack) {
    SourceTopic topic = stack.topic("takeover", 4);
    topic.send(Readings.V1, 0, 1_000);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("takeover", topic)
                .with("tasks.max", 2)
                .with("batch.records", 500));
    LandedLog log = connector.log(topic);
    List<ConnectWorker> workers = stack.services().connect().workers();
    for (int round = 0; round < 2; round++) {
      stack.startWorkers();
      connector.awaitAssignedTo(workers, topic);
      connector.awaitLanded();
      long before = log.committed();
      topic.send(Readings.V1, 10_000 + round * 10_000L, 15_000 + round * 10_000L);
      Polling.until(
          "batches are committed",
          RealStack.DEADLINE,
          () -> log.committed() > before ? Optional.empty() : Optional.of("there are none"));
      workers.get(round).kill();
      assertThat(connector.shortfall(topic)).as("killed in the midst of it").isPresent();
      connector.awaitAssignedTo(List.of(workers.get(1 - round)), topic);
    }
    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
  }

  @Test
  @Order(3)
  void workerKilledInMidBatchAndStartedAgainLandsEachRowOnce(RealStack stack) {
    SourceTopic topic = stack.topic("killed", 2);
    topic.send(Readings.V1, 0, 15_000);
    ConnectorSettings settings =
        ConnectorSettings.of("killed", topic)
            .with("batch.records", 30_000)
            .with("batch.interval.ms", 600_000)
            .with("avro.codec", "null")
            // So little that a batch spills to its staged files long before it is complete.
            .with("memory.bytes", 6 << 20);
    Deployment connector = stack.deploy(settings);
    LandedLog log = connector.log(topic);
    LandedTable table = connector.table(topic);
    connector.awaitLanded();

    topic.send(Readings.V1, 15_000, 29_500);
    Polling.until(
        "a batch is under way",
        RealStack.DEADLINE,
        () -> table.staged().isEmpty() ? Optional.of("nothing is staged") : Optional.empty());
    List<LogEntry> committed = log.batches();
    assertThat(connector.shortfall(topic)).as("a part of the topic is not committed").isPresent();
    for (ConnectWorker worker : stack.services().connect().workers()) {
      worker.kill();
    }
    assertThat(table.staged()).as("what the killed task has left").isNotEmpty();
    topic.send(Readings.V1, 29_500, 32_000);

    stack.services().connect().worker(0).start();
    connector.awaitRunning();
    connector.configure(settings.with("batch.interval.ms", 500));
    connector.awaitLanded();
    table.assertHoldsExactly(topic.produced());
    assertThat(log.batches()).containsAll(committed);
    assertThat(table.staged()).isEmpty();
  }

  /** The zombie of the books: what it had in hand is taken over before it goes on with it. */
  @Test
  @Order(2)
  void workerThatWakesUpAfterItsTakeoverCommitsNothing(RealStack stack) {
    SourceTopic topic = stack.topic("zombie", 4);
    topic.send(Readings.V1, 0, 1_000);
    Deployment connector =
        stack.deploy(
            ConnectorSettings.of("zombie", topic).with("tasks.max", 2).with("batch.records", 500));
    LandedLog log = connector.log(topic);
    List<ConnectWorker> workers = stack.services().connect().workers();
    stack.startWorkers();
    connector.awaitAssignedTo(workers, topic);
    connector.awaitLanded();
    long before = log.committed();
    topic.send(Readings.V1, 1_000, 6_000);
    Polling.until(
        "batches are committed",
        RealStack.DEADLINE,
        () -> log.committed() > before ? Optional.empty() : Optional.of("there are none"));
    workers.get(1).process().suspend();
    try {
      assertThat(connector.shortfall(topic)).as("stopped in the midst of it").isPresent();
      connector.awaitAssignedTo(List.of(workers.get(0)), topic);
    } finally {
      workers.get(1).process().resume();
    }
    topic.send(Readings.V1, 6_000, 8_000);
    connector.awaitAssignedTo(workers, topic);
    connector.awaitLanded();
    connector.table(topic).assertHoldsExactly(topic.produced());
  }
}
