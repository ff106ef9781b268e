package io.tidemark.benchmarks.landing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The cost of files at each point of a curve: CPU time beside a raw copy that makes as many files
 * of the same size, calls of the name node, and the start of the tasks.
 */
final class GrowthReport {
  private final GrowthCurve curve;
  private final List<Trial> trials;

  GrowthReport(GrowthCurve curve, List<Trial> trials) {
    this.curve = curve;
    this.trials = List.copyOf(trials);
  }

  void print() {
    System.out.printf(
        "%nCPU of a record in ours, relative to raw-copy with as many files (goal: at most %.2f)%n",
        curve.bound());
    System.out.printf(
        "%-24s%12s%12s%14s%8s%8s%8s%18s%n",
        curve.optionValue(),
        "files",
        "of raw-copy",
        "records a file",
        "steady",
        "lowest",
        "highest",
        "with last flush");
    for (Trial ours : of(LandingReport.OURS)) {
      rawCopy(ours)
          .ifPresent(
              raw -> {
                double[] rounds = ratios(ours, raw, Round::cpuSecondsPerMillion);
                System.out.printf(
                    "%,-24d%,12.0f%,12.0f%,14.0f%8.2f%8.2f%8.2f%18.2f%n",
                    curve.point(ours.workload()),
                    files(ours),
                    files(raw),
                    ours.workload().records() / Math.max(1, files(ours)),
                    ratio(ours, raw, Round::cpuSecondsPerMillion),
                    rounds[0],
                    rounds[rounds.length - 1],
                    ratio(ours, raw, Round::wholeCpuSecondsPerMillion));
              });
    }
    printCalls();
    printStarts();
  }

  private void printCalls() {
    System.out.printf("%nCalls of the name node by all clients, also the Metastore%n");
    System.out.printf(
        "%-24s%-12s%12s%12s   %s%n", curve.optionValue(), "", "calls", "a file", "most frequent");
    for (Trial trial : trials) {
      if (files(trial) > 0) {
        double calls = trial.median(round -> round.files().calls());
        System.out.printf(
            "%,-24d%-12s%,12.0f%12.2f   %s%n",
            curve.point(trial.workload()),
            trial.sinkName(),
            calls,
            calls / files(trial),
            mostFrequent(trial));
      }
    }
  }

  private static String mostFrequent(Trial trial) {
    List<Map.Entry<String, Double>> calls = new ArrayList<>(callsByName(trial).entrySet());
    calls.sort(Map.Entry.<String, Double>comparingByValue().reversed());
    var text = new StringBuilder();
    for (var call : calls.subList(0, Math.min(6, calls.size()))) {
      text.append(text.isEmpty() ? "" : ", ")
          .append("%s %.2f".formatted(call.getKey(), call.getValue() / files(trial)));
    }
    return text.isEmpty() ? "" : text + " a file";
  }

  private void printStarts() {
    for (Trial trial : trials) {
      if (!trial.starts().isEmpty()) {
        System.out.printf(
            "%,d topic-partitions of %d task(s) start with their logs in %.1f s: assigned after %.1f"
                + " s, claimed and recovered %.1f s later; %,.0f calls of the name node%n",
            trial.workload().allTopicPartitions(),
            trial.workload().tasks(),
            start(trial, TaskStart::seconds),
            start(trial, TaskStart::secondsToAssign),
            start(trial, TaskStart::secondsToClaim),
            start(trial, TaskStart::nameNodeCalls));
      }
    }
  }

  /** Returns the values of a trial for the result file. */
  static Map<String, Object> row(Trial trial) {
    var row = new LinkedHashMap<String, Object>();
    double files = files(trial);
    double calls = trial.median(round -> round.files().calls());
    row.put("files", Math.round(files));
    row.put("batches", Math.round(trial.median(round -> round.files().batches())));
    row.put("nameNodeCalls", Math.round(calls));
    if (files > 0) {
      row.put("recordsPerFile", Math.round(trial.workload().records() / files));
      row.put("nameNodeCallsPerFile", LandingReport.rounded(calls / files));
      var byName = new LinkedHashMap<String, Long>();
      callsByName(trial).forEach((name, count) -> byName.put(name, Math.round(count)));
      row.put("nameNodeCallsByName", byName);
    }
    if (!trial.starts().isEmpty()) {
      row.put("secondsToAssign", LandingReport.rounded(start(trial, TaskStart::secondsToAssign)));
      row.put("secondsToClaim", LandingReport.rounded(start(trial, TaskStart::secondsToClaim)));
      row.put("nameNodeCallsOfStart", Math.round(start(trial, TaskStart::nameNodeCalls)));
    }
    return row;
  }

  private List<Trial> of(String sink) {
    return trials.stream().filter(trial -> trial.sinkName().equals(sink)).toList();
  }

  private Optional<Trial> rawCopy(Trial ours) {
    return of(LandingReport.RAW_COPY).stream()
        .filter(trial -> trial.workload().equals(ours.workload()))
        .findFirst();
  }

  private static double files(Trial trial) {
    return trial.median(round -> round.files().files());
  }

  private static double start(Trial trial, ToDoubleFunction<TaskStart> figure) {
    return Trial.median(trial.starts().stream().mapToDouble(figure));
  }

  /** Returns the mean number of calls in a round, by name. */
  private static Map<String, Double> callsByName(Trial trial) {
    var calls = new LinkedHashMap<String, Double>();
    for (Round round : trial.rounds()) {
      round
          .files()
          .nameNodeCalls()
          .forEach(
              (name, count) ->
                  calls.merge(name, (double) count / trial.rounds().size(), Double::sum));
    }
    return calls;
  }

  private static double ratio(Trial ours, Trial raw, ToDoubleFunction<Round> figure) {
    return ours.median(figure) / raw.median(figure);
  }

  /** Returns the ratio of each round, in order of size. */
  private static double[] ratios(Trial ours, Trial raw, ToDoubleFunction<Round> figure) {
    double[] ratios = new double[ours.rounds().size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] =
          figure.applyAsDouble(ours.rounds().get(i)) / figure.applyAsDouble(raw.rounds().get(i));
    }
    Arrays.sort(ratios);
    return ratios;
  }
}
