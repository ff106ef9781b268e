package io.tidemark.benchmarks.landing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tidemark.benchmarks.run.Axis;
import io.tidemark.benchmarks.run.BarChart;
import io.tidemark.stack.LocalStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.ToDoubleFunction;

/**
 * Measures what small batches cost: Tidemark lands records that are written at a fixed rate, with
 * one interval of flushes after another.
 */
final class FlushRun {
  private final LandingOptions options;
  private final LocalStack stack;
  private final List<Case> cases = new ArrayList<>();

  /** A sink with an interval, and its results. */
  private record Case(SinkUnderTest sink, Duration interval, List<FlushTrial.Result> results) {

    double median(ToDoubleFunction<FlushTrial.Result> figure) {
      return Trial.median(results.stream().mapToDouble(figure));
    }

    boolean lands() {
      return !interval.isZero();
    }
  }

  FlushRun(LandingOptions options, LocalStack stack, List<SinkUnderTest> sinks) {
    this.options = options;
    this.stack = stack;
    for (SinkUnderTest sink : sinks) {
      if (sink.name().equals(LandingReport.COUNTING)) {
        cases.add(new Case(sink, Duration.ZERO, new ArrayList<>()));
      } else {
        for (Duration interval : options.flushes()) {
          cases.add(new Case(FlushTrial.flushing(sink, interval), interval, new ArrayList<>()));
        }
      }
    }
  }

  /** Measures, prints the table and writes it as JSON and as a plot. */
  void run(Map<String, Object> machine)
      throws IOException, InterruptedException, ExecutionException {
    for (int round = 1; round <= options.rounds(); round++) {
      for (Case each : cases) {
        var trial = new FlushTrial(options, stack, each.sink(), each.interval());
        FlushTrial.Result result = trial.run(round);
        each.results().add(result);
        System.out.printf(
            "round %d  %-18s %.2f CPU s a million records%s%n",
            round,
            each.sink().name(),
            result.cpuSecondsPerMillion(),
            each.lands() ? ", visible after %.2f s".formatted(result.medianSeconds()) : "");
      }
    }
    print();
    write(machine);
  }

  private void print() {
    System.out.printf(
        "%n%,d records/s; medians of %d round(s). Seconds from the write to Kafka until Hive sees the"
            + " record%n",
        options.rate(), options.rounds());
    System.out.printf(
        "%-24s%12s%14s%12s%10s%10s%10s%n",
        "", "CPU s a M", "MiB a CPU s", "files a min", "median", "99 %", "longest");
    for (Case each : cases) {
      System.out.printf(
          "%-24s%12.2f%14.0f",
          each.sink().name(),
          each.median(FlushTrial.Result::cpuSecondsPerMillion),
          each.median(FlushTrial.Result::mebibytesPerCpuSecond));
      if (each.lands()) {
        System.out.printf(
            "%12.0f%10.2f%10.2f%10.2f",
            each.median(FlushTrial.Result::filesPerMinute),
            each.median(FlushTrial.Result::medianSeconds),
            each.median(FlushTrial.Result::mostSeconds),
            each.median(FlushTrial.Result::longestSeconds));
      }
      System.out.println();
    }
  }

  private void write(Map<String, Object> machine) throws IOException {
    Path results = Files.createDirectories(options.results());
    var json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Path table = results.resolve(options.resultName() + ".json");
    var rows = cases.stream().map(each -> row(each, machine)).toList();
    Files.writeString(table, json.writeValueAsString(rows) + '\n');
    Files.writeString(results.resolve(options.resultName() + ".svg"), BarChart.svg(charts()));
    System.out.printf("%nWritten to %s%n", table);
  }

  private Map<String, Object> row(Case each, Map<String, Object> machine) {
    var row = new LinkedHashMap<String, Object>();
    row.put("contender", each.sink().name());
    row.put("flushSeconds", each.interval().toSeconds());
    row.put("recordsPerSecond", options.rate());
    row.putAll(values(each::median, each.lands()));
    row.put(
        "rounds",
        each.results().stream()
            .map(result -> values(figure -> figure.applyAsDouble(result), each.lands()))
            .toList());
    row.put("workerHeapMegabytes", options.heapMegabytes());
    row.put("machine", machine);
    return row;
  }

  private static Map<String, Object> values(
      ToDoubleFunction<ToDoubleFunction<FlushTrial.Result>> of, boolean lands) {
    var values = new LinkedHashMap<String, Object>();
    values.put(
        "cpuSecondsPerMillionRecords",
        LandingReport.rounded(of.applyAsDouble(FlushTrial.Result::cpuSecondsPerMillion)));
    values.put(
        "mebibytesPerCpuSecond",
        LandingReport.rounded(of.applyAsDouble(FlushTrial.Result::mebibytesPerCpuSecond)));
    if (lands) {
      values.put(
          "filesPerMinute",
          LandingReport.rounded(of.applyAsDouble(FlushTrial.Result::filesPerMinute)));
      values.put(
          "medianSecondsToHive",
          LandingReport.rounded(of.applyAsDouble(FlushTrial.Result::medianSeconds)));
      values.put(
          "seconds99PercentToHive",
          LandingReport.rounded(of.applyAsDouble(FlushTrial.Result::mostSeconds)));
      values.put(
          "longestSecondsToHive",
          LandingReport.rounded(of.applyAsDouble(FlushTrial.Result::longestSeconds)));
    }
    return values;
  }

  private List<BarChart> charts() {
    var cost =
        new BarChart(
            "Flushes at %,d records per second".formatted(options.rate()),
            "CPU seconds per million records, less is better",
            Axis.LINEAR);
    cost.group("median of %d round(s)".formatted(options.rounds()));
    var latency =
        new BarChart(
            "From Kafka to Hive at %,d records per second".formatted(options.rate()),
            "seconds, less is better",
            Axis.LINEAR);
    latency.group("median of the records");
    for (Case each : cases) {
      cost.bar(each.sink().name(), each.median(FlushTrial.Result::cpuSecondsPerMillion));
      if (each.lands()) {
        latency.bar(
            each.sink().name(),
            each.median(FlushTrial.Result::medianSeconds),
            "(longest %.2f s)".formatted(each.median(FlushTrial.Result::longestSeconds)));
      }
    }
    return List.of(cost, latency);
  }
}
