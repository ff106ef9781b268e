package io.tidemark.benchmarks.landing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tidemark.benchmarks.run.Axis;
import io.tidemark.benchmarks.run.BarChart;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Lands a topic through real Connect and HDFS by several sinks in turn: what {@code
 * benchmarks/landing} runs.
 */
public final class LandingRun {
  /** The round that does not count: the JIT compiler of the worker has most to do in it. */
  private static final int WARM_UP = 0;

  private final Path module;
  private final LandingOptions options;
  private final List<SinkUnderTest> sinks = new ArrayList<>();
  private final Map<String, List<Round>> rounds = new LinkedHashMap<>();

  private LandingRun(Path module, LandingOptions options) throws IOException {
    this.module = module;
    this.options = options;
    for (Path file : options.configurations()) {
      sinks.add(SinkUnderTest.read(file));
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
    System.out.println("Starts Kafka, HDFS, Connect and what else the sinks ask for");
    int bytesPerRecord;
    try (LocalStack stack = stack(directory)) {
      var topic = new QuoteTopic(stack, options.records(), options.rolling());
      System.out.printf("Produces %,d records%n", options.records());
      bytesPerRecord = topic.fill();
      for (int round = WARM_UP; round <= options.rounds(); round++) {
        for (SinkUnderTest sink : inOrderOf(round)) {
          measure(stack, topic, sink, round, bytesPerRecord);
        }
      }
    }
    print();
    write(machine, bytesPerRecord);
  }

  /** Every second round is run backwards, so that no sink always follows the same other one. */
  private List<SinkUnderTest> inOrderOf(int round) {
    var order = new ArrayList<SinkUnderTest>(sinks);
    if (round % 2 == 0) {
      Collections.reverse(order);
    }
    return order;
  }

  private LocalStack stack(Path directory) throws IOException {
    LocalStack.Builder builder =
        LocalStack.builder()
            .directory(directory)
            .with(Service.KAFKA, Service.HDFS, Service.CONNECT)
            .pluginArchive(archive(module.resolve("../connector/target"), "tidemark-*.zip"))
            .pluginArchive(archive(module.resolve("sinks/target"), "benchmark-sinks.zip"))
            .connectHeapMegabytes(options.heapMegabytes())
            // Offsets are committed within a second of the sink's wish, for every sink.
            .connectProperties(Map.of("offset.flush.interval.ms", "1000"));
    options.plugins().forEach(builder::pluginArchive);
    if (!options.plugins().isEmpty()) {
      // Others may have no manifests of their plugins.
      builder.connectProperties(Map.of("plugin.discovery", "hybrid_warn"));
    }
    builder.with(Service.REGISTRY);
    if (sinks.stream().anyMatch(sink -> sink.mentions("${hive.metastore.uris}"))) {
      builder.with(Service.METASTORE);
    }
    return builder.start();
  }

  private static Path archive(Path folder, String pattern) throws IOException {
    try (DirectoryStream<Path> archives = Files.newDirectoryStream(folder, pattern)) {
      for (Path archive : archives) {
        return archive;
      }
    }
    throw new IllegalStateException(
        "no %s in %s: run mvn package -pl benchmarks,connector -am -DskipTests"
            .formatted(pattern, folder));
  }

  private void measure(
      LocalStack stack, QuoteTopic topic, SinkUnderTest sink, int round, int bytesPerRecord)
      throws IOException, InterruptedException, ExecutionException {
    String run = sink.name().replace('-', '_') + '_' + round;
    var replacements = new LinkedHashMap<String, String>();
    replacements.put("bootstrap.servers", stack.kafka().bootstrapServers());
    replacements.put("schema.registry.url", stack.registry().url());
    replacements.put("store.url", stack.hdfs().uri().toString());
    replacements.put("topic", QuoteTopic.NAME);
    replacements.put("schema", topic.schema());
    replacements.put("run", run);
    if (sink.mentions("${hive.metastore.uris}")) {
      replacements.put("hive.metastore.uris", stack.metastore().uris());
    }
    Round result =
        new SinkRun(stack, run, options.records(), bytesPerRecord)
            .follow(sink.settings(replacements));
    if (round > WARM_UP) {
      rounds.computeIfAbsent(sink.name(), key -> new ArrayList<>()).add(result);
    }
    System.out.printf(
        "%-9s%-18s %,10.0f records/s, committed %.1f s after the last%n",
        round > WARM_UP ? "round " + round : "warm-up",
        sink.name(),
        result.recordsPerSecond(),
        result.secondsToCommit());
    stack.hdfs().files().delete("/" + run);
  }

  private double median(String sink, ToDoubleFunction<Round> figure) {
    double[] sorted =
        rounds.getOrDefault(sink, List.of()).stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private void print() {
    System.out.printf(
        "%nMedians of %d rounds, %,d records, one task, worker's heap %d MiB; steady part%n",
        options.rounds(), options.records(), options.heapMegabytes());
    System.out.printf(
        "%-18s%12s%8s%18s%14s%13s%12s%12s%n",
        "",
        "records/s",
        "MB/s",
        "CPU s a million",
        "peak heap MB",
        "peak RSS MB",
        "of raw-copy",
        "of counting");
    for (SinkUnderTest sink : sinks) {
      String name = sink.name();
      double rate = median(name, Round::recordsPerSecond);
      System.out.printf(
          "%-18s%,12.0f%8.0f%18.2f%14.0f%13.0f%11.0f%%%11.0f%%%n",
          name,
          rate,
          median(name, Round::megabytesPerSecond),
          median(name, Round::cpuSecondsPerMillion),
          median(name, Round::peakHeapMegabytes),
          median(name, Round::peakResidentMegabytes),
          100 * rate / median("raw-copy", Round::recordsPerSecond),
          100 * rate / median("counting", Round::recordsPerSecond));
    }
  }

  private void write(Map<String, Object> machine, int bytesPerRecord) throws IOException {
    var rows = new ArrayList<Map<String, Object>>();
    var chart =
        new BarChart(
            "%,d stock quotes%s from Kafka through Connect, one task"
                .formatted(options.records(), options.rolling() ? " of two schemas" : ""),
            "records a second, more is better",
            Axis.LINEAR);
    chart.group("median of %d rounds".formatted(options.rounds()));
    for (SinkUnderTest sink : sinks) {
      String name = sink.name();
      var row = new LinkedHashMap<String, Object>();
      row.put("contender", name);
      row.put("recordsPerSecond", Math.round(median(name, Round::recordsPerSecond)));
      row.put("megabytesPerSecond", rounded(median(name, Round::megabytesPerSecond)));
      row.put("cpuSecondsPerMillionRecords", rounded(median(name, Round::cpuSecondsPerMillion)));
      row.put("peakHeapMegabytes", rounded(median(name, Round::peakHeapMegabytes)));
      row.put("peakResidentMegabytes", rounded(median(name, Round::peakResidentMegabytes)));
      row.put("secondsToRead", rounded(median(name, Round::secondsToRead)));
      row.put("secondsToCommit", rounded(median(name, Round::secondsToCommit)));
      row.put(
          "recordsPerSecondOfRounds",
          rounds.getOrDefault(name, List.of()).stream()
              .map(round -> Math.round(round.recordsPerSecond()))
              .toList());
      row.put("records", options.records());
      row.put("schemas", options.rolling() ? 2 : 1);
      row.put("bytesPerRecord", bytesPerRecord);
      row.put("topicPartitions", QuoteTopic.TOPIC_PARTITIONS);
      row.put("tasks", 1);
      row.put("workerHeapMegabytes", options.heapMegabytes());
      row.put("machine", machine);
      rows.add(row);
      chart.bar(name, median(name, Round::recordsPerSecond));
    }
    Path results = Files.createDirectories(options.results());
    var json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    String name = options.rolling() ? "landing-rolling" : "landing";
    Path table = results.resolve(name + ".json");
    Files.writeString(table, json.writeValueAsString(rows) + '\n');
    Files.writeString(results.resolve(name + ".svg"), chart.svg());
    System.out.printf("%nWritten to %s%n", table);
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
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
