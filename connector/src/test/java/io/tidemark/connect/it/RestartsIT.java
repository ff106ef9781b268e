package io.tidemark.connect.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connect.it.BadRecordsIT.BadRecord;
import io.tidemark.connect.it.landed.LogEntry;
import io.tidemark.connect.it.stack.ConnectorSettings;
import io.tidemark.connect.it.stack.Deployment;
import io.tidemark.connect.it.stack.OnRealStack;
import io.tidemark.connect.it.stack.Readings;
import io.tidemark.connect.it.stack.RealStack;
import io.tidemark.connect.it.stack.SourceTopic;
import io.tidemark.connect.it.stack.TaskFailures;
import io.tidemark.connect.it.stack.WorkerFootprint;
import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.Polling;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A task that fails for a permanent reason, and is restarted by a program again and again. */
@OnRealStack
@Tag("faults")
@Tag("long")
final class RestartsIT {

  private static final String NAME = "restarted";
  private static final String QUEUE = "restarted-queue";
  private static final int WARM = 10;
  private static final int RESTARTS = 50;

  private static final int RETAINED = 3;

  /** Each restart appends an entry to each of two logs. Folding removes more than half of them. */
  private static final int MOST_ENTRIES = RESTARTS;

  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final int LOOKS = 25;

  /** A number that grows by one with each restart grows by more than this. */
  private static final int NOISE = (RESTARTS - WARM) * 3 / 4;

  /**
   * The reckoner keeps accounts, and what it has read of logs, until its next entry: for a minute
   * and up to 1,000 of each.
   */
  private static final List<String> OF_ACCOUNTS =
      List.of(
          "objects of io.tidemark.completeness.decide.ReadEntry",
          "objects of io.tidemark.completeness.ledger.",
          "objects of io.tidemark.completeness.reckon.Inbox$Received",
          "objects of io.tidemark.store.batch.RecordCounts",
          "objects of io.tidemark.store.commit.Generation",
          "objects of io.tidemark.store.StoragePath");

  @Test
  void taskRestartedFiftyTimesLandsNothingTwiceAndLeavesNothingBehind(RealStack stack)
      throws InterruptedException {
    SourceTopic topic = stack.topic(NAME, 2);
    topic.send(Readings.V1, 0, 300);
    ConnectorSettings settings =
        ConnectorSettings.of(NAME, topic)
            .with("log.retained.entries", RETAINED)
            .with("batch.interval.ms", 100)
            .with("on.refusal", "stop-task");
    Deployment connector = stack.deploy(settings);
    connector.awaitLanded();

    try (TaskFailures failures = stack.failuresOf(NAME, 0)) {
      long bad = topic.sendRaw(1, BadRecord.CORRUPT.value(stack.register(NAME, Readings.V1)));
      topic.send(Readings.V1, 300, 400);
      String place = NAME + "-1@" + bad + ": ";
      assertThat(failures.next()).contains(place);
      restart(stack, failures, WARM, place);
      nothingRuns(stack);
      WorkerFootprint before = WorkerFootprint.of(stack);
      List<String> filesBefore = filesOfTable(stack);
      restart(stack, failures, RESTARTS - WARM, place);
      nothingRuns(stack);
      assertThat(WorkerFootprint.of(stack).grownBy(NOISE, before))
          .as("what the workers hold more of after %d restarts than after %d", RESTARTS, WARM)
          .allMatch(grown -> OF_ACCOUNTS.stream().anyMatch(grown::startsWith));
      assertThat(filesOfTable(stack))
          .as("files of the table, hidden ones included")
          .hasSameSizeAs(filesBefore);
      logGetsShort(stack, failures, place);
    }
    assertThat(connector.table(topic).keysInFiles()).doesNotHaveDuplicates();
    assertThat(connector.log(topic).next(1)).isEqualTo(300);

    connector.configureStopped(
        settings
            .with("errors.tolerance", "all")
            .with("errors.deadletterqueue.topic.name", QUEUE)
            .with("errors.deadletterqueue.topic.replication.factor", 1));
    connector.awaitRunning();
    topic.send(Readings.V1, 400, 500);
    // Folded entries no longer name files.
    Polling.until(
        NAME + " has landed everything",
        RealStack.DEADLINE,
        () -> connector.shortfall(topic).or(() -> connector.table(topic).unregistered()));
    connector.table(topic).assertHoldsExactly(topic.produced());
    assertThat(stack.readAll(QUEUE, 1)).hasSize(1);
    for (int topicPartition = 0; topicPartition < 2; topicPartition++) {
      LogEntry last = connector.log(topic).last(topicPartition);
      assertThat(last.account("landed")).isEqualTo(500);
      assertThat(last.account("deadLettered")).isEqualTo(topicPartition);
      assertThat(last.next()).isEqualTo(topic.end(topicPartition));
    }
  }

  private static void restart(RealStack stack, TaskFailures failures, int times, String place) {
    // One client for all calls. Each client has its own connections, which would be counted in the
    // worker.
    ConnectClient connect = stack.connect();
    for (int restart = 0; restart < times; restart++) {
      connect.restartTask(NAME, 0);
      assertThat(failures.next()).contains(place);
    }
  }

  /** A failed task may close its clients after its own end. */
  private static void nothingRuns(RealStack stack) {
    Polling.until(
        "the threads and MBeans of the failed task are gone",
        RealStack.DEADLINE,
        () -> {
          List<String> left = WorkerFootprint.ofTasks(stack, NAME);
          return left.isEmpty() ? Optional.empty() : Optional.of(left + " are there");
        });
  }

  private static List<String> filesOfTable(RealStack stack) {
    return files(stack, "/topics/" + NAME);
  }

  /**
   * The ledger releases every ten minutes what it has read, and then a restarted task folds it.
   * What was appended in the last minutes stays.
   */
  private static void logGetsShort(RealStack stack, TaskFailures failures, String place)
      throws InterruptedException {
    List<String> entries = files(stack, "/logs/" + NAME + "/" + NAME);
    for (int looks = 0; entries.size() > MOST_ENTRIES; looks++) {
      assertThat(looks).as("looks at a log that has %s", entries).isLessThan(LOOKS);
      Thread.sleep(PAUSE.toMillis());
      restart(stack, failures, 1, place);
      entries = files(stack, "/logs/" + NAME + "/" + NAME);
    }
  }

  private static List<String> files(RealStack stack, String directory) {
    try {
      return stack.services().hdfs().files().walk(directory).stream()
          .map(WebHdfs.Entry::path)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("HDFS does not answer", e);
    }
  }
}
