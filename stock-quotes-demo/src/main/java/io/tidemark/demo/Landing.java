package io.tidemark.demo;

import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Polling;
import io.tidemark.stack.ProcessBeans;
import io.tidemark.stack.WebHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Follows the records through the connector, by its log, its metrics and Hive. Used by one thread.
 */
final class Landing {

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final long SLOWEST_RECORDS_PER_SECOND = 5_000;
  private static final Duration PUBLICATION_PATIENCE = Duration.ofMinutes(1);

  private final LocalStack stack;
  private final String connector;
  private final ConnectorConfig config;
  private final CommitLogView log;
  private final Screen screen;
  private final List<String> committedFiles = new ArrayList<>();
  private long committed;
  private int batches;
  private long firstTakenNanos = System.nanoTime();
  private long lastTaken;
  private long rate;

  Landing(LocalStack stack, String connector, ConnectorConfig config, Screen screen) {
    this.stack = stack;
    this.connector = connector;
    this.config = config;
    this.log = new CommitLogView(stack.hdfs().files(), config.logsDirectory() + "/" + connector);
    this.screen = screen;
  }

  /**
   * Waits until all records are committed, published and registered, and returns their number.
   *
   * @throws DemoFailedException if the connector or its task fails
   */
  long follow(Tally sent) throws IOException {
    long start = System.nanoTime();
    try (ProcessBeans worker = stack.connect().worker(0).process().beans()) {
      await(
          "all records are committed",
          PATIENCE.plusSeconds(sent.records() / SLOWEST_RECORDS_PER_SECOND),
          () -> {
            takeNewBatches();
            showProgress(taken(worker), sent.records());
            return committed < sent.records()
                ? Optional.of(committed + " of " + sent.records() + " are committed")
                : Optional.empty();
          });
    }
    screen.line(
        "%,d records committed in %d batches, %.1f s after the deployment",
        committed, batches, (System.nanoTime() - start) / 1e9);
    await("all files are published", PUBLICATION_PATIENCE, this::unpublished);
    await("all Hive partitions are registered", PUBLICATION_PATIENCE, () -> unregistered(sent));
    screen.line(
        "%d files published, %d Hive partitions registered",
        committedFiles.size(), sent.recordsByHivePartition().size());
    return committed;
  }

  /** Waits, and fails at once if the connector fails. */
  private void await(String waitedFor, Duration patience, Supplier<Optional<String>> missing) {
    ConnectClient client = stack.connect().client();
    Polling.until(
        waitedFor,
        patience,
        () -> {
          client
              .status(connector)
              .flatMap(ConnectorStatus::failure)
              .ifPresent(
                  failure -> {
                    throw new DemoFailedException(failure);
                  });
          return missing.get();
        });
  }

  private void showProgress(long taken, long records) {
    long now = System.nanoTime();
    if (taken == 0) {
      firstTakenNanos = now;
    }
    if (taken > lastTaken) {
      rate = taken * 1_000_000_000L / Math.max(1, now - firstTakenNanos);
      lastTaken = taken;
    }
    screen.progress(
        Math.min(taken, records),
        records,
        taken < records
            ? "%,d records/s, lag %,d".formatted(rate, records - committed)
            : "%,d records/s, lag %,d until the flush".formatted(rate, records - committed));
  }

  private void takeNewBatches() {
    try {
      for (CommitLogView.Batch batch : log.newBatches()) {
        screen.line("%s", batch);
        committed += batch.landed();
        batches++;
        committedFiles.addAll(batch.files());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the commit log cannot be read", e);
    }
  }

  /** Returns how many records Connect has delivered to the task; after a seek some count twice. */
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

  private Optional<String> unpublished() {
    try {
      Set<String> missing = new HashSet<>(committedFiles);
      for (WebHdfs.Entry file : stack.hdfs().files().walk(config.tableDirectory())) {
        missing.remove(file.path());
      }
      return missing.stream().findFirst().map(file -> missing.size() + " files, such as " + file);
    } catch (IOException e) {
      throw new UncheckedIOException("the table's directory cannot be read", e);
    }
  }

  private Optional<String> unregistered(Tally sent) {
    try {
      Set<String> missing = new HashSet<>(sent.recordsByHivePartition().keySet());
      stack
          .hive()
          .query("SHOW PARTITIONS " + config.table())
          .forEach(row -> missing.remove(row.get(0)));
      return missing.isEmpty() ? Optional.empty() : Optional.of(missing + " are missing");
    } catch (SQLException e) {
      return Optional.of("SHOW PARTITIONS fails: " + e.getMessage());
    }
  }
}
