package io.tidemark.benchmarks.landing;

import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Polling;
import io.tidemark.stack.ProcessBeans;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The start of Tidemark's tasks with the logs of an earlier run, until they read from all
 * topic-partitions.
 *
 * @param secondsToAssign the time from the request to Connect until the tasks have their
 *     topic-partitions
 * @param secondsToClaim the time from then until all logs are claimed and recovered
 * @param nameNodeCalls the calls that clients sent to the name node
 */
record TaskStart(double secondsToAssign, double secondsToClaim, long nameNodeCalls) {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final long LOOK_MS = 20;

  double seconds() {
    return secondsToAssign + secondsToClaim;
  }

  /** Starts a deleted connector again, measures, and deletes it. */
  static TaskStart measure(
      LocalStack stack,
      NameNodeWork nameNode,
      String connector,
      Map<String, String> settings,
      int topicPartitions)
      throws IOException, InterruptedException {
    ConnectClient client = stack.connect().client();
    String beans = "tidemark.connect:type=task-metrics,connector=" + connector + ",*";
    try (ProcessBeans worker = stack.connect().worker(0).process().beans()) {
      awaitEnd(client, worker, connector, beans);
      Map<String, Long> before = nameNode.settledCalls();
      long requested = System.nanoTime();
      client.configure(connector, settings);
      try {
        long assigned = 0;
        while (true) {
          double present = sum(worker, beans, "TopicPartitions");
          double paused = sum(worker, beans, "PausedTopicPartitions");
          long now = System.nanoTime();
          if (present == topicPartitions) {
            assigned = assigned == 0 ? now : assigned;
            if (paused == 0) {
              return new TaskStart(
                  (assigned - requested) / 1e9,
                  (now - assigned) / 1e9,
                  NameNodeWork.total(NameNodeWork.difference(before, nameNode.calls())));
            }
          }
          if (now - requested > PATIENCE.toNanos()) {
            throw new IllegalStateException(
                "%s reads from %.0f of %d topic-partitions %s after its start"
                    .formatted(connector, present - paused, topicPartitions, PATIENCE));
          }
          Thread.sleep(LOOK_MS);
        }
      } finally {
        client.delete(connector);
      }
    }
  }

  private static void awaitEnd(
      ConnectClient client, ProcessBeans worker, String connector, String beans) {
    Polling.until(
        connector + " has ended",
        PATIENCE,
        () -> {
          try {
            return client.status(connector).isEmpty() && worker.names(beans).isEmpty()
                ? Optional.empty()
                : Optional.of("it still has a task");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static double sum(ProcessBeans worker, String beans, String attribute)
      throws IOException {
    return worker.read(beans, attribute).stream().mapToDouble(Double::doubleValue).sum();
  }
}
