package io.tidemark.benchmarks.landing;

import io.tidemark.benchmarks.landing.threads.ThreadKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** A table of the worker's CPU time by kind of thread, with a column for each sink. */
final class ThreadReport {
  private final List<Trial> trials;

  ThreadReport(List<Trial> trials) {
    this.trials = List.copyOf(trials);
  }

  void print() {
    for (Workload workload : trials.stream().map(Trial::workload).distinct().toList()) {
      print(workload, trials.stream().filter(trial -> trial.workload().equals(workload)).toList());
    }
  }

  private static void print(Workload workload, List<Trial> columns) {
    System.out.printf(
        "%nCPU s a million records by thread, steady part, %s; medians of each row%n",
        workload.name());
    System.out.printf("%-40s", "");
    columns.forEach(trial -> System.out.printf("%20s", trial.sinkName()));
    System.out.println();
    for (ThreadKind kind : ThreadKind.values()) {
      print(kind.label(), columns, round -> round.threads().of(kind));
      if (kind == ThreadKind.TASK) {
        System.out.printf("%-40s", "  of this put()");
        for (Trial trial : columns) {
          OptionalDouble put = put(trial);
          System.out.printf("%20s", put.isPresent() ? "%.3f".formatted(put.getAsDouble()) : "");
        }
        System.out.println();
      }
    }
    print("all", columns, Round::cpuSecondsPerMillion);
  }

  private static void print(String label, List<Trial> columns, ToDoubleFunction<Round> figure) {
    System.out.printf("%-40s", label);
    columns.forEach(trial -> System.out.printf("%20.3f", trial.median(figure)));
    System.out.println();
  }

  private static OptionalDouble put(Trial trial) {
    return trial.rounds().stream().allMatch(round -> round.threads().put().isPresent())
        ? OptionalDouble.of(trial.median(round -> round.threads().put().orElseThrow()))
        : OptionalDouble.empty();
  }

  /** Returns the values of a trial for the result file. */
  static Map<String, Object> row(Trial trial) {
    var row = new LinkedHashMap<String, Object>();
    for (ThreadKind kind : ThreadKind.values()) {
      row.put(kind.label(), rounded(trial.median(round -> round.threads().of(kind))));
    }
    put(trial).ifPresent(seconds -> row.put("put()", rounded(seconds)));
    return row;
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 1_000) / 1_000.0;
  }
}
