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
import org.junit.jupiter.api.Test;

@OnRealStack
final class WorkerLossIT {

  @Test
  void workerKilledInMidBatchAndStartedAgainLandsEachRowOnce(RealStack stack) {
    SourceTopic topic = stack.topic("killed", 2);
    topic.send(Readings.V1, 0, 15_000);
    ConnectorSettings settings =
        ConnectorSettings.of("killed", topic)
            .with("batch.records", 30_000)
            .with("batch.interval.ms", 600_000)
            .with("avro.codec", "null")
            // Low enough that a batch spills to its staged files long before it is complete.
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
}
