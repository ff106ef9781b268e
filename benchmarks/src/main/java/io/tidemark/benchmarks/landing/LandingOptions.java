package io.tidemark.benchmarks.landing;

import io.tidemark.benchmarks.landing.Workload.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
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
    Path results) {

  private static final long RECORDS = 20_000_000;
  private static final long QUICK_RECORDS = 12_000_000;

  /** The number of records of a point of a curve. */
  private static final long GROWTH_RECORDS = 6_000_000;

  LandingOptions {
    plugins = List.copyOf(plugins);
    configurations = List.copyOf(configurations);
    slow = List.copyOf(slow);
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

  boolean isRouted() {
    return workload.kind() == Kind.RECORD_TYPES || workload.kind() == Kind.FIELD_VALUES;
  }

  /** Parses one option after the other. Used by one thread. */
  private static final class Parser {
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
    private int rounds = 3;
    private int heap = 1_024;
    private boolean shaped;
    private boolean secure;
    private Path results;

    Parser(Path module) {
      this.module = module;
      results = module.resolve("results");
    }

    void take(String option, Iterator<String> rest) {
      switch (option) {
        case "--quick" -> {}
        case "--secure" -> secure = true;
        case "--rolling" -> is(Kind.ROLLING);
        case "--routed" -> is(routed(value(option, rest)));
        case "--growth" -> growth = Optional.of(GrowthCurve.named(value(option, rest)));
        case "--up-to" -> most = number(option, rest);
        case "--records" -> records = Long.parseLong(value(option, rest));
        case "--topics" -> topics = shape(option, rest);
        case "--topic-partitions" -> topicPartitions = shape(option, rest);
        case "--hive-partitions" -> hivePartitions = shape(option, rest);
        case "--record-bytes" -> recordBytes = shape(option, rest);
        case "--tasks" -> tasks = shape(option, rest);
        case "--rounds" -> rounds = number(option, rest);
        case "--heap" -> heap = number(option, rest);
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
      if (rounds < 1) {
        throw new IllegalArgumentException("--rounds " + rounds + ": at least 1 is needed");
      }
      long usual = growth.isPresent() ? GROWTH_RECORDS : quick ? QUICK_RECORDS : RECORDS;
      var workload =
          Workload.quotes(kind, records == 0 ? usual : records)
              .ofTopics(topics)
              .ofTopicPartitions(topicPartitions)
              .ofHivePartitions(hivePartitions)
              .ofRecordBytes(recordBytes)
              .ofTasks(tasks);
      return new LandingOptions(
          workload, growth, most, rounds, heap, plugins, configurations(), slow, secure, results);
    }

    private List<Path> configurations() {
      var configurations = new ArrayList<Path>();
      configurations.add(module.resolve("config/counting.json"));
      if (growth.isEmpty() && !secure && (kind == Kind.PLAIN || kind == Kind.ROLLING)) {
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
