package io.tidemark.benchmarks.landing;

import io.tidemark.benchmarks.landing.flushes.HivePartitions;
import io.tidemark.benchmarks.landing.flushes.Latencies;
import io.tidemark.benchmarks.landing.flushes.PacedProducer;
import io.tidemark.benchmarks.landing.flushes.SentTimes;
import io.tidemark.benchmarks.landing.flushes.VisibleBatches;
import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.ProcessBeans;
import io.tidemark.stack.SecurityOptions;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * One run of a sink over records that are written at a fixed rate. It has three parts: until the
 * first batch is visible in Hive, or for some seconds; the measured part of whole intervals; and,
 * without more records, until those of the measured part are visible.
 */
final class FlushTrial {
  private static final Duration LEAST_WARM_UP = Duration.ofSeconds(20);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int LEAST_INTERVALS = 2;
  private static final long LOOK_MS = 50;
  private static final int LOOKS_PER_STATUS = 40;

  private final LandingOptions options;
  private final LocalStack stack;
  private final SinkUnderTest sink;
  private final Duration interval;
  private final ConnectClient client;

  /**
   * The results.
   *
   * @param filesPerMinute the files of all batches, over the time of the whole run
   * @param medianSeconds the median time from the sending of a record until it is visible in Hive
   * @param mostSeconds the time within which 99 % of the records are visible
   */
  record Result(
      double cpuSecondsPerMillion,
      double mebibytesPerCpuSecond,
      double filesPerMinute,
      double medianSeconds,
      double mostSeconds,
      double longestSeconds) {}

  /** A reading of the worker. */
  private record Look(long nanos, double records, double cpuNanos) {}

  /**
   * Prepares a run.
   *
   * @param interval zero for a sink that lands nothing
   */
  FlushTrial(LandingOptions options, LocalStack stack, SinkUnderTest sink, Duration interval) {
    this.options = options;
    this.stack = stack;
    this.sink = sink;
    this.interval = interval;
    client = stack.connect().client();
  }

  /**
   * Returns Tidemark with flushes by time alone. A Hive partition is a minute, so that the latency
   * has the registrations of Hive partitions.
   */
  static SinkUnderTest flushing(SinkUnderTest ours, Duration interval) {
    return ours.with(
        "%s-%ds".formatted(ours.name(), interval.toSeconds()),
        Map.of(
            "batch.interval.ms", Long.toString(interval.toMillis()),
            "batch.records", "1000000000",
            "batch.bytes", Long.toString(Long.MAX_VALUE),
            "completeness.flush", "none",
            "path.format", "'dt'=yyyy-MM-dd/'minute'=HHmm",
            "partition.duration.ms", "60000"));
  }

  /** Returns the duration of the measured part: whole intervals. */
  static Duration measured(Duration interval, long records, int rate) {
    Duration wanted = Duration.ofMillis(1_000 * records / rate);
    if (interval.isZero()) {
      return wanted;
    }
    long intervals = (wanted.toMillis() + interval.toMillis() - 1) / interval.toMillis();
    return interval.multipliedBy(Math.max(LEAST_INTERVALS, intervals));
  }

  Result run(int round) throws IOException, InterruptedException, ExecutionException {
    String run = "flushes_%s_%d".formatted(sink.name(), round).replace('-', '_');
    Workload workload = options.workload().named(run);
    var topics = new QuoteTopics(stack, workload);
    int id = topics.register().get(0);
    List<TopicPartition> topicPartitions = topics.create();
    Map<String, String> settings = sink.settings(Trial.replacements(stack, topics, sink, run));
    stack.hdfs().files().makeDirectories("/" + run);
    var sent = new SentTimes(topicPartitions.size());
    var producer =
        new PacedProducer(
            stack.kafka().clientSettings(SecurityOptions.CONNECT),
            topicPartitions,
            values(topics.datums(), id),
            options.rate(),
            sent);
    client.configure(run, settings);
    try (ProcessBeans worker = stack.connect().worker(0).process().beans();
        VisibleBatches visible = visible(run, topicPartitions.size())) {
      client.awaitRunning(run, Duration.ofMinutes(1));
      producer.start();
      return measure(run, worker, producer, visible, sent, topics.bytesPerRecord());
    } finally {
      producer.stop();
      client.delete(run);
      stack.hdfs().files().delete("/" + run);
      try (Admin admin = stack.kafka().admin()) {
        admin.deleteTopics(workload.topicNames()).all().get();
      }
    }
  }

  private VisibleBatches visible(String run, int topicPartitions) {
    var hivePartitions = new HivePartitions(URI.create(stack.metastore().uris()), "default", run);
    return new VisibleBatches(
        stack.hdfs().files(),
        hivePartitions,
        "/%s/logs/%s/%s".formatted(run, run, run),
        topicPartitions);
  }

  private static Supplier<byte[]> values(List<byte[]> datums, int id) {
    var count = new int[1];
    return () ->
        QuoteTopics.value(datums.get(count[0]++ % datums.size()), id, System.currentTimeMillis());
  }

  private Result measure(
      String run,
      ProcessBeans worker,
      PacedProducer producer,
      VisibleBatches visible,
      SentTimes sent,
      int bytesPerRecord)
      throws IOException, InterruptedException, ExecutionException {
    boolean lands = !interval.isZero();
    var watch = new Watch(run, producer, lands ? Optional.of(visible) : Optional.empty());
    long begun = System.nanoTime();
    long warm = begun + LEAST_WARM_UP.toNanos();
    long first = warm + interval.plus(PATIENCE).toNanos();
    while ((lands && watch.records == 0) || System.nanoTime() < warm) {
      watch.look(first, "no batch is visible in Hive");
    }
    Look from = look(run, worker);
    watch.from = from.nanos();
    watch.to =
        from.nanos() + measured(interval, options.workload().records(), options.rate()).toNanos();
    watch.latencies = new Latencies(sent);
    while (System.nanoTime() < watch.to) {
      watch.look(Long.MAX_VALUE, "");
    }
    Look to = look(run, worker);
    long written = producer.stop();
    double minutes = (System.nanoTime() - begun) / 60e9;
    long last = System.nanoTime() + interval.plus(PATIENCE).toNanos();
    while (lands && watch.records < written) {
      watch.look(last, "%d of %d records are visible in Hive".formatted(watch.records, written));
    }
    double cpuSeconds = (to.cpuNanos() - from.cpuNanos()) / 1e9;
    double records = to.records() - from.records();
    return new Result(
        cpuSeconds / records * 1e6,
        records * bytesPerRecord / (1 << 20) / cpuSeconds,
        visible.files() / minutes,
        lands ? watch.latencies.quantile(0.5) : 0,
        lands ? watch.latencies.quantile(0.99) : 0,
        lands ? watch.latencies.quantile(1) : 0);
  }

  private Look look(String run, ProcessBeans worker) throws IOException {
    return new Look(
        System.nanoTime(),
        sum(
            worker,
            "kafka.connect:type=sink-task-metrics,connector=" + run + ",*",
            "sink-record-read-total"),
        sum(worker, "java.lang:type=OperatingSystem", "ProcessCpuTime"));
  }

  private static double sum(ProcessBeans worker, String pattern, String attribute)
      throws IOException {
    return worker.read(pattern, attribute).stream().mapToDouble(Double::doubleValue).sum();
  }

  private void failIfFailed(String run) {
    client
        .status(run)
        .flatMap(ConnectorStatus::failure)
        .ifPresent(
            failure -> {
              throw new IllegalStateException(run + ": " + failure);
            });
  }

  /** Follows the batches, and the latency of the records of a period. Used by one thread. */
  private final class Watch {
    private final String run;
    private final PacedProducer producer;
    private final Optional<VisibleBatches> visible;
    private Latencies latencies = new Latencies(new SentTimes(0));
    private long from;
    private long to;
    private long records;
    private int looks;

    Watch(String run, PacedProducer producer, Optional<VisibleBatches> visible) {
      this.run = run;
      this.producer = producer;
      this.visible = visible;
    }

    void look(long deadlineNanos, String problem)
        throws IOException, InterruptedException, ExecutionException {
      producer.check();
      if (System.nanoTime() > deadlineNanos) {
        throw new IllegalStateException(
            "%s: %s within the interval of %s and %s. Read the worker's log."
                .formatted(run, problem, interval, PATIENCE));
      }
      if (looks++ % LOOKS_PER_STATUS == 0) {
        failIfFailed(run);
      }
      if (visible.isPresent()) {
        for (VisibleBatches.Batch batch : visible.get().look()) {
          records += batch.next() - batch.first();
          if (to > 0) {
            latencies.add(batch, System.nanoTime(), from, to);
          }
        }
      }
      Thread.sleep(LOOK_MS);
    }
  }
}
