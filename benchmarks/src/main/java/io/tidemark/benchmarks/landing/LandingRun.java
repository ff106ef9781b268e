package io.tidemark.benchmarks.landing;

import io.tidemark.benchmarks.run.Machine;
import io.tidemark.stack.LocalStack;
import io.tidemark.stack.Service;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes topics to tables through real Connect and HDFS by several sinks in turn. {@code
 * benchmarks/landing} starts it.
 */
public final class LandingRun {
  /**
   * The number of the uncounted round, in which the worker's JIT compiler does most of its work.
   */
  private static final int WARM_UP = 0;

  /** The divisor of a slow sink's number of records. */
  private static final int SLOW_SHARE = 6;

  /**
   * Tidemark with one table that has a Hive partition for each route, and so the same number of
   * files.
   */
  static final String AS_MANY_FILES = "ours-in-one";

  private final Path module;
  private final LandingOptions options;
  private final List<SinkUnderTest> sinks = new ArrayList<>();
  private final List<SinkUnderTest> slow = new ArrayList<>();
  private final List<Trial> trials = new ArrayList<>();

  private LandingRun(Path module, LandingOptions options) throws IOException {
    this.module = module;
    this.options = options;
    for (Path file : options.configurations()) {
      SinkUnderTest sink = SinkUnderTest.read(file);
      sinks.add(sink);
    }
    for (Path file : options.slow()) {
      slow.add(SinkUnderTest.read(file));
    }
  }

  /**
   * Runs, prints the table and writes it as JSON and as a plot.
   *
   * @param arguments the module's directory, then the options that {@code benchmarks/landing
   *     --help} lists
   */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    Path module = Path.of(arguments[0]);
    LandingOptions options;
    try {
      options = LandingOptions.parse(Arrays.asList(arguments).subList(1, arguments.length), module);
    } catch (IllegalArgumentException e) {
      System.err.println("landing: " + e.getMessage());
      System.exit(2);
      return;
    }
    new LandingRun(module, options).run();
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    Map<String, Object> machine = Machine.describe(module);
    Path directory = module.resolve("target/landing");
    delete(directory);
    System.out.println("Starts Kafka, HDFS, Connect, and the other services of the sinks");
    if (!options.flushes().isEmpty()) {
      try (LocalStack stack = stack(directory).start()) {
        new FlushRun(options, stack, sinks).run(machine);
      }
      return;
    }
    if (options.secure()) {
      runSecure(directory);
    } else {
      try (LocalStack stack = stack(directory).start()) {
        for (Workload workload : workloads()) {
          fill(stack, workload);
        }
        if (!slow.isEmpty()) {
          Workload whole = options.workload();
          add(stack, whole.named("quotes_short").ofRecords(whole.records() / SLOW_SHARE), slow);
        }
        measureAll();
      }
    }
    var report = new LandingReport(options, trials);
    report.print();
    report.write(machine);
  }

  private void runSecure(Path directory)
      throws IOException, InterruptedException, ExecutionException {
    var secure = new SecureTrials();
    LocalStack.Builder builder = stack(directory.resolve("secured"));
    secure.secure(builder);
    try (LocalStack secured = builder.start();
        LocalStack open = SecureTrials.open(secured, directory.resolve("open"))) {
      trials.addAll(
          secure.of(filled(secured, options.workload()), sinks, secured, open, options.watch()));
      measureAll();
    }
  }

  private void measureAll() throws IOException, InterruptedException, ExecutionException {
    for (int round = WARM_UP; round <= options.rounds(); round++) {
      for (Trial trial : inOrderOf(round)) {
        measure(trial, round);
      }
    }
  }

  /** Fills the topics of a workload, and for a routed one also those for one table. */
  private void fill(LocalStack stack, Workload workload)
      throws IOException, InterruptedException, ExecutionException {
    switch (workload.kind()) {
      case RECORD_TYPES -> {
        // One table cannot have records of several names, so add a topic with as many of one type.
        add(stack, workload.ofKind(Workload.Kind.PLAIN), sinks);
        add(stack, workload.named("quotes_of_types"), routed());
        add(
            stack,
            workload.named("quotes_of_values").ofKind(Workload.Kind.FIELD_VALUES),
            inOneTable());
      }
      case FIELD_VALUES ->
          add(
              stack,
              workload,
              Stream.of(sinks, routed(), inOneTable()).flatMap(List::stream).toList());
      default -> add(stack, workload, sinks);
    }
  }

  private void add(LocalStack stack, Workload workload, List<SinkUnderTest> over)
      throws IOException, InterruptedException, ExecutionException {
    QuoteTopics topics = filled(stack, workload);
    List<Trial> added =
        over.stream().map(sink -> new Trial(topics, sink, stack, options.watch())).toList();
    if (options.growth().isPresent()) {
      imitate(added);
    }
    trials.addAll(added);
  }

  /** Makes {@code raw-copy} write as many files as Tidemark, whose warm-up is before its own. */
  private static void imitate(List<Trial> sameTopics) {
    for (Trial trial : sameTopics) {
      if (trial.sinkName().equals(LandingReport.RAW_COPY)) {
        sameTopics.stream()
            .filter(other -> other.sinkName().equals(LandingReport.OURS))
            .findFirst()
            .ifPresent(trial::imitate);
      }
    }
  }

  private static QuoteTopics filled(LocalStack stack, Workload workload)
      throws IOException, InterruptedException, ExecutionException {
    var topics = new QuoteTopics(stack, workload);
    System.out.printf(
        "Produces %,d records of %,d bytes to %d topic-partitions of %s%n",
        workload.records(),
        topics.bytesPerRecord(),
        workload.allTopicPartitions(),
        workload.name());
    topics.fill();
    return topics;
  }

  private List<Workload> workloads() {
    return options
        .growth()
        .map(curve -> curve.workloads(options.workload(), options.most()))
        .orElse(List.of(options.workload()));
  }

  /**
   * Returns the order of a round: every second one is reversed, so that no sink always follows the
   * same other one.
   */
  private List<Trial> inOrderOf(int round) {
    var order = new ArrayList<>(trials);
    if (round % 2 == 0) {
      Collections.reverse(order);
    }
    return order;
  }

  /** Returns Tidemark with a table for each route. */
  private List<SinkUnderTest> routed() {
    boolean byField = options.workload().kind() == Workload.Kind.FIELD_VALUES;
    String tables =
        IntStream.range(0, Quotes.ROUTES)
            .mapToObj(
                route ->
                    (byField ? Quotes.routeOf(route) : Quotes.typeOf(route))
                        + ":${run}_"
                        + Quotes.routeOf(route))
            .collect(Collectors.joining(","));
    return byField
        ? ours(
            "ours-by-field",
            Map.of("field2table.field", Quotes.ROUTE_FIELD, "field2table.map", tables))
        : ours("ours-by-record", Map.of("record2table.map", tables));
  }

  /** Returns Tidemark with one table that has as many files as there are routes. */
  private List<SinkUnderTest> inOneTable() {
    return ours(
        AS_MANY_FILES,
        Map.of(
            "partitioner.class",
            "FieldAndTimeBasedPartitioner",
            "partition.field.name",
            Quotes.ROUTE_FIELD));
  }

  private List<SinkUnderTest> ours(String name, Map<String, String> settings) {
    return sinks.stream()
        .filter(sink -> sink.name().equals(LandingReport.OURS))
        .map(sink -> sink.with(name, settings))
        .toList();
  }

  private LocalStack.Builder stack(Path directory) throws IOException {
    LocalStack.Builder builder =
        LocalStack.builder()
            .directory(directory)
            .with(Service.KAFKA, Service.HDFS, Service.CONNECT)
            .pluginArchive(archive(module.resolve("../connector/target"), "tidemark-*.zip"))
            .pluginArchive(archive(module.resolve("sinks/target"), "benchmark-sinks.zip"))
            .connectHeapMegabytes(options.heapMegabytes())
            // Commit offsets within a second of a sink's request, for every sink.
            .connectProperties(Map.of("offset.flush.interval.ms", "1000"));
    if (options.growth().isPresent()) {
      // Otherwise a heap of more than 1,024 MiB has another collector than a smaller one.
      builder.connectJvmOptions("-XX:+UseSerialGC");
    }
    options.plugins().forEach(builder::pluginArchive);
    if (!options.plugins().isEmpty()) {
      // Other plugins may have no manifests.
      builder.connectProperties(Map.of("plugin.discovery", "hybrid_warn"));
    }
    builder.with(Service.REGISTRY);
    if (Trial.needsMetastore(sinks)) {
      builder.with(Service.METASTORE);
    }
    return builder;
  }

  private static Path archive(Path folder, String pattern) throws IOException {
    try (DirectoryStream<Path> archives = Files.newDirectoryStream(folder, pattern)) {
      for (Path archive : archives) {
        return archive;
      }
    }
    throw new IllegalStateException(
        "no %s in %s: run mvn package -Pbenchmarks -pl benchmarks,connector -am -DskipTests"
            .formatted(pattern, folder));
  }

  private static void measure(Trial trial, int round)
      throws IOException, InterruptedException, ExecutionException {
    Round result = trial.run(round, round > WARM_UP);
    System.out.printf(
        "%-9s%-24s%-18s %,10.0f records/s, %.0f MiB a CPU s, committed %.1f s after the last%n",
        round > WARM_UP ? "round " + round : "warm-up",
        trial.workload().name(),
        trial.sinkName(),
        result.recordsPerSecond(),
        result.mebibytesPerCpuSecond(),
        result.secondsToCommit());
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
