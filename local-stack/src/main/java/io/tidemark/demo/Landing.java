package io.tidemark.demo;

import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Polling;
import io.tidemark.stack.ProcessBeans;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;

/** The way of the records through the connector, as seen from outside. Has one owner. */
final class Landing {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final LocalStack stack;
  private final String connector;
  private final CommitLogView log;
  private final Screen screen;

  Landing(LocalStack stack, String connector, CommitLogView log, Screen screen) {
    this.stack = stack;
    this.connector = connector;
    this.log = log;
    this.screen = screen;
  }

  /**
   * Follows the records until all of them are committed, and returns how many are.
   *
   * @throws DemoFailedException if the connector or its task fails
   */
  long follow(long records) throws IOException {
    ConnectClient client = stack.connect().client();
    long start = System.nanoTime();
    try (ProcessBeans worker = stack.connect().worker(0).process().beans()) {
      Polling.until(
          "all records are committed",
          PATIENCE,
          () -> {
            client
                .status(connector)
                .flatMap(ConnectorStatus::failure)
                .ifPresent(
                    failure -> {
                      throw new DemoFailedException(failure);
                    });
            long committed = committed();
            long taken = taken(worker);
            screen.progress(
                taken,
                records,
                "%,d taken (%,d/s), %,d committed, lag %,d"
                    .formatted(taken, rate(taken, start), committed, records - committed));
            return committed < records
                ? Optional.of(committed + " of " + records + " are committed")
                : Optional.empty();
          });
    }
    return committed();
  }

  private long committed() {
    try {
      return log.committedRecords(batch -> screen.line("%s", batch));
    } catch (IOException e) {
      throw new UncheckedIOException("the commit log cannot be read", e);
    }
  }

  /** How many records Connect has handed to the task. */
  private long taken(ProcessBeans worker) {
    try {
      return worker
          .read(
              "kafka.connect:type=sink-task-metrics,connector=" + connector + ",*",
              "sink-record-read-total")
          .stream()
          .mapToLong(Double::longValue)
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException("the worker's metrics cannot be read", e);
    }
  }

  private static long rate(long records, long startNanos) {
    return records * 1_000_000_000L / Math.max(1, System.nanoTime() - startNanos);
  }
}
