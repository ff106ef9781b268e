package io.tidemark.benchmarks.landing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tidemark.benchmarks.run.BarChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The results of a run: a printed table, JSON with every round, and a plot. */
final class LandingReport {
  static final String COUNTING = "counting";
  static final String RAW_COPY = "raw-copy";
  static final String OURS = "ours";

  private final LandingOptions options;
  private final List<Trial> trials;

  LandingReport(LandingOptions options, List<Trial> trials) {
    this.options = options;
    this.trials = List.copyOf(trials);
  }

  void print() {
    System.out.printf(
        "%nMedians of %d rounds, %s, worker's heap %d MiB; steady part%n",
        options.rounds(),
        trials.stream()
            .map(trial -> trial.workload().tasks())
            .distinct()
            .map(tasks -> tasks == 1 ? "1 task" : tasks + " tasks")
            .collect(Collectors.joining(" or ")),
        options.heapMegabytes());
    System.out.printf(
        "%-42s%12s%8s%12s%12s%12s%12s%12s%13s%12s%12s%n",
        "",
        "records/s",
        "MB/s",
        "MiB a CPU s",
        "CPU s a M",
        "landed/s",
        "least heap",
        "peak heap",
        "peak RSS MB",
        "of raw-copy",
        "of counting");
    for (Trial trial : trials) {
      System.out.printf(
          "%-24s%-18s%,12.0f%8.0f%12.0f%12.2f%,12.0f%12.0f%12.0f%13.0f%12s%12s%n",
          trial.workload().name(),
          trial.sinkName(),
          trial.median(Round::recordsPerSecond),
          trial.median(Round::megabytesPerSecond),
          trial.median(Round::mebibytesPerCpuSecond),
          trial.median(Round::cpuSecondsPerMillion),
          trial.landedPerSecond(),
          trial.median(Round::leastHeapMegabytes),
          trial.median(Round::peakHeapMegabytes),
          trial.median(Round::peakResidentMegabytes),
          ratio(trial, RAW_COPY),
          ratio(trial, COUNTING));
    }
    options.growth().ifPresent(this::printGrowth);
    if (options.threads()) {
      new ThreadReport(trials).print();
    }
    if (options.isRouted()) {
      printRouted();
    }
    if (options.secure()) {
      printSecure();
    }
  }

  private Optional<Trial> beside(Trial trial, String sink) {
    return trials.stream()
        .filter(other -> options.growth().isEmpty() || other.workload().equals(trial.workload()))
        .filter(other -> other.sinkName().equals(sink))
        .findFirst();
  }

  private String ratio(Trial trial, String sink) {
    return beside(trial, sink)
        .map(
            other ->
                "%.0f%%"
                    .formatted(
                        100
                            * trial.median(Round::recordsPerSecond)
                            / other.median(Round::recordsPerSecond)))
        .orElse("");
  }

  /** Compares routed tables with one table, round by round. */
  private void printRouted() {
    for (Trial trial : trials) {
      if (trial.sinkName().startsWith("ours-by-")) {
        beside(trial, OURS).ifPresent(one -> printRatio(trial, one, "ours in one table"));
        beside(trial, LandingRun.AS_MANY_FILES)
            .ifPresent(one -> printRatio(trial, one, "ours in one table with as many files"));
      }
    }
  }

  /** Compares each sink that logs in and encrypts with the same one that does not. */
  private void printSecure() {
    for (Trial trial : trials) {
      int end = trial.sinkName().indexOf(SecureTrials.SECURE);
      if (end >= 0) {
        String plain = trial.sinkName().substring(0, end);
        beside(trial, plain).ifPresent(one -> printRatio(trial, one, plain));
      }
    }
  }

  private void printRatio(Trial trial, Trial one, String what) {
    double[] ratios = new double[options.rounds()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = trial.rounds().get(i).recordsPerSecond() / one.rounds().get(i).recordsPerSecond();
    }
    Arrays.sort(ratios);
    System.out.printf(
        "%s: %.2f of %s (rounds from %.2f to %.2f)%n",
        trial.sinkName(),
        trial.median(Round::recordsPerSecond) / one.median(Round::recordsPerSecond),
        what,
        ratios[0],
        ratios[ratios.length - 1]);
  }

  /** Compares each point with the first one by the cost of a record, or of a byte. */
  private void printGrowth(GrowthCurve curve) {
    System.out.printf(
        "%n%s: CPU of a record, or of a byte, relative to the first point%n", curve.title());
    for (String sink : trials.stream().map(Trial::sinkName).distinct().toList()) {
      var line = new StringBuilder("%-12s".formatted(sink));
      for (boolean bytes : new boolean[] {false, true}) {
        double first = 0;
        for (Trial trial : trials) {
          if (trial.sinkName().equals(sink) && curve.isOfBytes(trial.workload()) == bytes) {
            double cost =
                bytes
                    ? 1 / trial.median(Round::mebibytesPerCpuSecond)
                    : trial.median(Round::cpuSecondsPerMillion);
            first = first == 0 ? cost : first;
            line.append(
                "   %,d%s: %.2f"
                    .formatted(
                        curve.point(trial.workload()), bytes ? " (a byte)" : "", cost / first));
          }
        }
      }
      System.out.println(line);
    }
    new GrowthReport(curve, trials).print();
  }

  void write(Map<String, Object> machine) throws IOException {
    Path results = Files.createDirectories(options.results());
    var json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Path table = results.resolve(options.resultName() + ".json");
    var rows = trials.stream().map(trial -> row(trial, machine)).toList();
    Files.writeString(table, json.writeValueAsString(rows) + '\n');
    Files.writeString(
        results.resolve(options.resultName() + ".svg"),
        BarChart.svg(new LandingCharts(options, trials).charts()));
    System.out.printf("%nWritten to %s%n", table);
  }

  private Map<String, Object> row(Trial trial, Map<String, Object> machine) {
    Workload workload = trial.workload();
    var row = new LinkedHashMap<String, Object>();
    row.put("contender", trial.sinkName());
    row.put("recordsPerSecond", Math.round(trial.median(Round::recordsPerSecond)));
    row.put("megabytesPerSecond", rounded(trial.median(Round::megabytesPerSecond)));
    row.put("mebibytesPerCpuSecond", rounded(trial.median(Round::mebibytesPerCpuSecond)));
    row.put("cpuSecondsPerMillionRecords", rounded(trial.median(Round::cpuSecondsPerMillion)));
    row.put(
        "wholeCpuSecondsPerMillionRecords",
        rounded(trial.median(Round::wholeCpuSecondsPerMillion)));
    row.put("landedRecordsPerSecond", Math.round(trial.landedPerSecond()));
    row.put("leastHeapMegabytes", rounded(trial.median(Round::leastHeapMegabytes)));
    row.put("peakHeapMegabytes", rounded(trial.median(Round::peakHeapMegabytes)));
    row.put("peakResidentMegabytes", rounded(trial.median(Round::peakResidentMegabytes)));
    row.put("secondsToRead", rounded(trial.median(Round::secondsToRead)));
    row.put("secondsToCommit", rounded(trial.median(Round::secondsToCommit)));
    if (options.watch().files()) {
      row.putAll(GrowthReport.row(trial));
    }
    if (options.threads()) {
      row.put("threads", ThreadReport.row(trial));
    }
    row.put("rounds", trial.rounds().stream().map(LandingReport::row).toList());
    row.put("records", workload.records());
    row.put("kind", workload.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    row.put("bytesPerRecord", trial.bytesPerRecord());
    row.put("topics", workload.topics());
    row.put("topicPartitions", workload.allTopicPartitions());
    row.put("hivePartitions", workload.hivePartitions());
    row.put("tasks", workload.tasks());
    row.put("workerHeapMegabytes", options.heapMegabytes());
    row.put("machine", machine);
    return row;
  }

  private static Map<String, Object> row(Round round) {
    var row = new LinkedHashMap<String, Object>();
    row.put("recordsPerSecond", Math.round(round.recordsPerSecond()));
    row.put("megabytesPerSecond", rounded(round.megabytesPerSecond()));
    row.put("mebibytesPerCpuSecond", rounded(round.mebibytesPerCpuSecond()));
    row.put("cpuSecondsPerMillionRecords", rounded(round.cpuSecondsPerMillion()));
    row.put("wholeCpuSecondsPerMillionRecords", rounded(round.wholeCpuSecondsPerMillion()));
    row.put("leastHeapMegabytes", rounded(round.leastHeapMegabytes()));
    row.put("peakHeapMegabytes", rounded(round.peakHeapMegabytes()));
    row.put("peakResidentMegabytes", rounded(round.peakResidentMegabytes()));
    row.put("secondsToRead", rounded(round.secondsToRead()));
    row.put("secondsToCommit", rounded(round.secondsToCommit()));
    return row;
  }

  static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
