package io.tidemark.benchmarks.landing;

import io.tidemark.benchmarks.landing.Round.FileWork;
import io.tidemark.benchmarks.landing.Round.ThreadWork;
import io.tidemark.benchmarks.landing.threads.ThreadKind;
import io.tidemark.benchmarks.landing.threads.ThreadTimes;
import io.tidemark.stack.ConnectClient;
import io.tidemark.stack.ConnectorStatus;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.ProcessBeans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/**
 * One run of any sink over the whole topic, measured from outside: by Connect's metric of the
 * records that its task has received, and by the committed offsets of its consumer group.
 */
final class SinkRun {
  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final Duration COMMIT_PATIENCE = Duration.ofMinutes(3);
  private static final long LOOK_MS = 50;
  private static final int LOOKS_PER_STATUS = 40;

  /** To read the threads takes some milliseconds of CPU time. */
  private static final int LOOKS_PER_THREADS = 4;

  private final LocalStack stack;
  private final String connector;
  private final long records;
  private final int bytesPerRecord;
  private final ConnectClient client;
  private final Optional<NameNodeWork> nameNode;
  private final boolean readsThreads;

  /**
   * Prepares a run.
   *
   * @param connector the name of the connector, and of its directory in the store
   * @param nameNode the name node whose calls and files are counted
   * @param readsThreads whether the CPU time of each thread is read
   */
  SinkRun(
      LocalStack stack,
      String connector,
      long records,
      int bytesPerRecord,
      Optional<NameNodeWork> nameNode,
      boolean readsThreads) {
    this.nameNode = nameNode;
    this.readsThreads = readsThreads;
    this.stack = stack;
    this.connector = connector;
    this.records = records;
    this.bytesPerRecord = bytesPerRecord;
    client = stack.connect().client();
  }

  /** Deploys the sink, waits for the commit of the last record, and deletes the sink. */
  Round follow(Map<String, String> settings)
      throws IOException, InterruptedException, ExecutionException {
    Map<String, Long> callsBefore = nameNode.isPresent() ? nameNode.get().settledCalls() : Map.of();
    client.configure(connector, settings);
    try (ProcessBeans worker = stack.connect().worker(0).process().beans();
        Admin admin = stack.kafka().admin()) {
      client.awaitRunning(connector, Duration.ofMinutes(1));
      var progress = new Progress();
      Optional<ThreadTimes> threads =
          readsThreads
              ? Optional.of(ThreadTimes.ofProcess(stack.connect().worker(0).process().pid()))
              : Optional.empty();
      read(worker, progress, threads);
      double secondsToCommit = awaitCommit(admin, progress.at(records).nanos());
      Progress.Look committed = look(worker);
      return round(progress, secondsToCommit, committed, files(worker, callsBefore), threads);
    } finally {
      client.delete(connector);
    }
  }

  private void read(ProcessBeans worker, Progress progress, Optional<ThreadTimes> threads)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    for (int looks = 0; ; looks++) {
      Progress.Look look = look(worker);
      progress.add(look);
      boolean last = look.records() >= records;
      if (threads.isPresent() && (last || looks % LOOKS_PER_THREADS == 0)) {
        threads.get().read(System.nanoTime());
      }
      if (last) {
        return;
      }
      if (looks % LOOKS_PER_STATUS == 0) {
        failIfFailed();
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "%s has received only %.0f of %d records within %s"
                .formatted(connector, look.records(), records, PATIENCE));
      }
      Thread.sleep(LOOK_MS);
    }
  }

  private void failIfFailed() {
    client
        .status(connector)
        .flatMap(ConnectorStatus::failure)
        .ifPresent(
            failure -> {
              throw new IllegalStateException(connector + ": " + failure);
            });
  }

  private Progress.Look look(ProcessBeans worker) throws IOException {
    return new Progress.Look(
        System.nanoTime(),
        sum(
            worker,
            "kafka.connect:type=sink-task-metrics,connector=" + connector + ",*",
            "sink-record-read-total"),
        sum(worker, "java.lang:type=OperatingSystem", "ProcessCpuTime"),
        sum(worker, "java.lang:type=Memory", "HeapMemoryUsage.used"),
        residentBytes(),
        readsThreads ? sum(worker, beans("task-metrics"), "PutCpuNanos") : 0);
  }

  /** Returns the pattern of Tidemark's MBeans of a type. Other sinks have none. */
  private String beans(String type) {
    return "tidemark.connect:type=" + type + ",connector=" + connector + ",*";
  }

  /** Counts the files, and the name node's calls when the sink sends no more. */
  private FileWork files(ProcessBeans worker, Map<String, Long> callsBefore)
      throws IOException, InterruptedException {
    if (nameNode.isEmpty()) {
      return FileWork.NOT_COUNTED;
    }
    Map<String, Long> calls = NameNodeWork.difference(callsBefore, nameNode.get().settledCalls());
    long batches = (long) sum(worker, beans("topic-partition-metrics"), "BatchesCommitted");
    long files =
        batches > 0
            ? (long) sum(worker, beans("topic-partition-metrics"), "FilesLanded")
            : nameNode.get().filesBelow("/" + connector);
    return new FileWork(files, batches, calls);
  }

  private static double sum(ProcessBeans worker, String pattern, String attribute)
      throws IOException {
    return worker.read(pattern, attribute).stream().mapToDouble(Double::doubleValue).sum();
  }

  private double residentBytes() throws IOException {
    Path status = Path.of("/proc/" + stack.connect().worker(0).process().pid() + "/status");
    if (!Files.exists(status)) {
      return 0; // Not Linux.
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> 1_024 * Double.parseDouble(line.replaceAll("\\D", "")))
          .sum();
    }
  }

  /** Returns the seconds from a moment until the group's offsets are at the end of the topic. */
  private double awaitCommit(Admin admin, long lastRecordNanos)
      throws InterruptedException, ExecutionException {
    long end = System.nanoTime() + COMMIT_PATIENCE.toNanos();
    while (committed(admin) < records) {
      failIfFailed();
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "%s has committed only %d of %d records %s after it received the last. Some sinks commit the rest of a topic-partition only if a setting closes files by time, such as rotate.schedule.interval.ms. Set it."
                .formatted(connector, committed(admin), records, COMMIT_PATIENCE));
      }
      Thread.sleep(LOOK_MS);
    }
    return (System.nanoTime() - lastRecordNanos) / 1e9;
  }

  private long committed(Admin admin) throws InterruptedException, ExecutionException {
    return admin
        .listConsumerGroupOffsets("connect-" + connector)
        .partitionsToOffsetAndMetadata()
        .get()
        .values()
        .stream()
        .mapToLong(offset -> offset == null ? 0 : offset.offset())
        .sum();
  }

  private Round round(
      Progress progress,
      double secondsToCommit,
      Progress.Look committed,
      FileWork files,
      Optional<ThreadTimes> threads) {
    Progress.Look from = progress.at(records / 5);
    Progress.Look to = progress.at(records * 9 / 10);
    double seconds = (to.nanos() - from.nanos()) / 1e9;
    double cpuSeconds = (to.cpuNanos() - from.cpuNanos()) / 1e9;
    double steady = to.records() - from.records();
    double wholeCpuSeconds = (committed.cpuNanos() - progress.at(1).cpuNanos()) / 1e9;
    return new Round(
        steady / seconds,
        steady / seconds * bytesPerRecord / 1e6,
        steady * bytesPerRecord / (1 << 20) / cpuSeconds,
        cpuSeconds / steady * 1e6,
        wholeCpuSeconds / records * 1e6,
        progress.leastHeapBytes(records / 5, records * 9 / 10) / (1 << 20),
        progress.peakHeapBytes() / (1 << 20),
        progress.peakResidentBytes() / (1 << 20),
        (progress.at(records).nanos() - progress.at(1).nanos()) / 1e9,
        secondsToCommit,
        files,
        threads.map(times -> threads(times, from, to)).orElse(ThreadWork.NOT_READ));
  }

  /** Divides the CPU time of the steady part among the kinds of threads. */
  private static ThreadWork threads(ThreadTimes times, Progress.Look from, Progress.Look to) {
    // Nanoseconds for a record, divided by a thousand, are seconds for a million records.
    double divisor = 1e3 * (to.records() - from.records());
    Map<ThreadKind, Double> seconds = new EnumMap<>(ThreadKind.class);
    double seen = 0;
    for (var kind : times.between(from.nanos(), to.nanos()).entrySet()) {
      seconds.put(kind.getKey(), kind.getValue() / divisor);
      seen += kind.getValue();
    }
    double process = to.cpuNanos() - from.cpuNanos();
    seconds.put(ThreadKind.UNSEEN, Math.max(0, process - seen) / divisor);
    double put = to.putCpuNanos() - from.putCpuNanos();
    return new ThreadWork(
        seconds, put > 0 ? OptionalDouble.of(put / divisor) : OptionalDouble.empty());
  }
}
