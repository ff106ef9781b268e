package io.tidemark.benchmarks.landing;

import io.tidemark.benchmarks.landing.Workload.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The options of a run.
 *
 * @param workload the records in Kafka, or the base of a curve's points
 * @param growth the curve to measure
 * @param most the largest point of the curve
 * @param rounds the number of runs of each sink
 * @param plugins archives in addition to those of this build
 * @param configurations the sinks
 * @param slow sinks that get a sixth of the records, so that all sinks take about the same time
 * @param secure whether the sinks also land with a login and encryption
 * @param threads whether the CPU time of the worker is divided among kinds of threads
 * @param flushes the intervals of flushes to measure at a fixed rate; empty to land existing
 *     records
 * @param rate the records a second that are written while the flushes are measured
 */
record LandingOptions(
    Workload workload,
    Optional<GrowthCurve> growth,
    int most,
    int rounds,
    int heapMegabytes,
    List<Path> plugins,
    List<Path> configurations,
    List<Path> slow,
    boolean secure,
    boolean threads,
    List<Duration> flushes,
    int rate,
    Path results) {

  private static final long RECORDS = 20_000_000;
  private static final long QUICK_RECORDS = 12_000_000;

  /** The number of records of a point of a curve. */
  private static final long GROWTH_RECORDS = 6_000_000;

  /** The records of a minute at the usual rate. */
  private static final long FLUSH_RECORDS = 600_000;

  private static final int USUAL_RATE = 10_000;
  private static final int USUAL_HEAP_MEGABYTES = 1_024;

  LandingOptions {
    plugins = List.copyOf(plugins);
    configurations = List.copyOf(configurations);
    slow = List.copyOf(slow);
    flushes = List.copyOf(flushes);
  }

  /**
   * Reads the arguments that {@code benchmarks/landing} passes on.
   *
   * @throws IllegalArgumentException for an invalid argument
   */
  static LandingOptions parse(List<String> arguments, Path module) {
    var parsed = new Parser(module);
    for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
      parsed.take(rest.next(), rest);
    }
    return parsed.options(arguments.contains("--quick"));
  }

  /** Returns the name of the result files. Example: {@code landing-rolling}. */
  String resultName() {
    if (!flushes.isEmpty()) {
      return "landing-flushes";
    }
    return growth
        .map(curve -> "growth-" + curve.optionValue())
        .orElse(
            switch (workload.kind()) {
              case PLAIN -> secure ? "landing-secure" : "landing";
              case ROLLING -> "landing-rolling";
              case RECORD_TYPES -> "landing-by-record";
              case FIELD_VALUES -> "landing-by-field";
            });
  }

  /** Returns what is measured besides rates, CPU time and memory. */
  Trial.Watch watch() {
    return new Trial.Watch(
        growth.isPresent(),
        growth.filter(curve -> curve == GrowthCurve.TOPIC_PARTITIONS).isPresent(),
        threads);
  }

  boolean isRouted() {
    return workload.kind() == Kind.RECORD_TYPES || workload.kind() == Kind.FIELD_VALUES;
  }

  /** Parses one option after the other. Used by one thread. */
  private static final class Parser {
    private static final String SECONDS_NEEDED =
        "numbers of seconds with commas are needed, each at least 1. Example: 1,10,60";

    private final Path module;
    private final List<Path> plugins = new ArrayList<>();
    private final List<Path> more = new ArrayList<>();
    private final List<Path> slow = new ArrayList<>();
    private Optional<GrowthCurve> growth = Optional.empty();
    private Kind kind = Kind.PLAIN;
    private long records;
    private int topics = 1;
    private int topicPartitions = Workload.USUAL_TOPIC_PARTITIONS;
    private int hivePartitions;
    private int recordBytes;
    private int tasks = 1;
    private int most = Integer.MAX_VALUE;
    private int rounds;
    private int heap;
    private int rate;
    private boolean shaped;
    private boolean secure;
    private boolean threads;
    private List<Duration> flushes = List.of();
    private Path results;

    Parser(Path module) {
      this.module = module;
      results = module.resolve("results");
    }

    void take(String option, Iterator<String> rest) {
      switch (option) {
        case "--quick" -> {}
        case "--secure" -> secure = true;
        case "--threads" -> threads = true;
        case "--flushes" -> flushes = seconds(option, value(option, rest));
        case "--rate" -> rate = positive(option, rest);
        case "--rolling" -> is(Kind.ROLLING);
        case "--routed" -> is(routed(value(option, rest)));
        case "--growth" -> growth = Optional.of(GrowthCurve.named(value(option, rest)));
        case "--up-to" -> most = positive(option, rest);
        case "--records" -> records = Long.parseLong(value(option, rest));
        case "--topics" -> topics = shape(option, rest);
        case "--topic-partitions" -> topicPartitions = shape(option, rest);
        case "--hive-partitions" -> hivePartitions = shape(option, rest);
        case "--record-bytes" -> recordBytes = shape(option, rest);
        case "--tasks" -> tasks = shape(option, rest);
        case "--rounds" -> rounds = positive(option, rest);
        case "--heap" -> heap = positive(option, rest);
        case "--plugin" -> plugins.add(Path.of(value(option, rest)));
        case "--config" -> more.add(Path.of(value(option, rest)));
        case "--beside" -> beside(value(option, rest));
        case "--results" -> results = Path.of(value(option, rest));
        default ->
            throw new IllegalArgumentException(
                option + " is not an option; benchmarks/landing --help lists them");
      }
    }

    LandingOptions options(boolean quick) {
      if (growth.isPresent() && (shaped || kind != Kind.PLAIN)) {
        throw new IllegalArgumentException(
            "--growth has workloads of its own: remove the options that describe the topic");
      }
      if (growth.isPresent() && !slow.isEmpty()) {
        throw new IllegalArgumentException("--growth and --beside: only one of them at a time");
      }
      if (secure && (growth.isPresent() || kind != Kind.PLAIN || !slow.isEmpty())) {
        throw new IllegalArgumentException(
            "--secure has a report of its own: remove --growth, --rolling, --routed and --beside");
      }
      boolean flushing = !flushes.isEmpty();
      if (flushing && (growth.isPresent() || shaped || kind != Kind.PLAIN || !slow.isEmpty())) {
        throw new IllegalArgumentException(
            "--flushes has a workload of its own: remove --growth, --beside and the options that"
                + " describe the topic");
      }
      if (flushing && (secure || threads || !more.isEmpty())) {
        throw new IllegalArgumentException(
            "--flushes measures Tidemark alone: remove --secure, --threads and --config");
      }
      if (rate > 0 && !flushing) {
        throw new IllegalArgumentException("--rate is the rate of --flushes, which is missing");
      }
      long usual =
          flushing
              ? FLUSH_RECORDS
              : growth.isPresent() ? GROWTH_RECORDS : quick ? QUICK_RECORDS : RECORDS;
      var workload =
          Workload.quotes(kind, records == 0 ? usual : records)
              .ofTopics(topics)
              .ofTopicPartitions(topicPartitions)
              .ofHivePartitions(hivePartitions)
              .ofRecordBytes(recordBytes)
              .ofTasks(tasks);
      int usualHeap = growth.map(curve -> curve.heapMegabytes(most)).orElse(USUAL_HEAP_MEGABYTES);
      return new LandingOptions(
          workload,
          growth,
          most,
          rounds > 0 ? rounds : flushing ? 1 : 3,
          heap > 0 ? heap : usualHeap,
          plugins,
          configurations(),
          slow,
          secure,
          threads,
          flushes,
          rate > 0 ? rate : USUAL_RATE,
          results);
    }

    private List<Path> configurations() {
      var configurations = new ArrayList<Path>();
      configurations.add(module.resolve("config/counting.json"));
      if (!secure && flushes.isEmpty() && (kind == Kind.PLAIN || kind == Kind.ROLLING)) {
        configurations.add(module.resolve("config/raw-copy.json"));
      }
      configurations.add(module.resolve("config/ours.json"));
      configurations.addAll(more);
      return configurations;
    }

    private void beside(String sink) {
      if (!sink.equals("iceberg")) {
        throw new IllegalArgumentException(
            "--beside %s: the value must be iceberg; add others by --plugin and --config"
                .formatted(sink));
      }
      plugins.add(module.resolve("iceberg/target/benchmark-iceberg.zip"));
      slow.add(module.resolve("config/iceberg.json"));
    }

    private void is(Kind wanted) {
      if (kind != Kind.PLAIN && kind != wanted) {
        throw new IllegalArgumentException("--rolling and --routed: only one of them at a time");
      }
      kind = wanted;
    }

    private static Kind routed(String by) {
      return switch (by) {
        case "record" -> Kind.RECORD_TYPES;
        case "field" -> Kind.FIELD_VALUES;
        default ->
            throw new IllegalArgumentException("--routed " + by + ": use either record or field");
      };
    }

    private int shape(String option, Iterator<String> rest) {
      shaped = true;
      return number(option, rest);
    }

    private static int positive(String option, Iterator<String> rest) {
      int number = number(option, rest);
      if (number < 1) {
        throw new IllegalArgumentException(option + " " + number + ": at least 1 is needed");
      }
      return number;
    }

    /** Parses numbers of seconds with commas. Example: {@code 1,10,60}. */
    private static List<Duration> seconds(String option, String list) {
      try {
        List<Duration> parsed =
            Arrays.stream(list.split(",", -1))
                .map(each -> Duration.ofSeconds(Integer.parseInt(each)))
                .toList();
        if (parsed.stream().allMatch(each -> each.compareTo(Duration.ofSeconds(1)) >= 0)) {
          return parsed;
        }
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(option + " " + list + ": " + SECONDS_NEEDED, e);
      }
      throw new IllegalArgumentException(option + " " + list + ": " + SECONDS_NEEDED);
    }

    private static int number(String option, Iterator<String> rest) {
      String value = value(option, rest);
      try {
        return Integer.parseInt(value);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(option + " " + value + ": a number is needed", e);
      }
    }

    private static String value(String option, Iterator<String> rest) {
      if (!rest.hasNext()) {
        throw new IllegalArgumentException(
            option + " needs a value; see benchmarks/landing --help");
      }
      return rest.next();
    }
  }
}
