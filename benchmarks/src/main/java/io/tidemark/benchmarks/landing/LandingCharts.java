package io.tidemark.benchmarks.landing;

import io.tidemark.benchmarks.run.Axis;
import io.tidemark.benchmarks.run.BarChart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The plots of a run: the rate of each sink, or for a curve the rate, the CPU time and the heap.
 */
final class LandingCharts {
  private final LandingOptions options;
  private final List<Trial> trials;

  LandingCharts(LandingOptions options, List<Trial> trials) {
    this.options = options;
    this.trials = List.copyOf(trials);
  }

  List<BarChart> charts() {
    return options.growth().map(this::growth).orElseGet(() -> List.of(rates()));
  }

  private BarChart rates() {
    Workload workload = options.workload();
    var chart =
        new BarChart(
            "%,d stock quotes%s from Kafka through Connect, %s"
                .formatted(
                    workload.records(),
                    switch (workload.kind()) {
                      case PLAIN -> "";
                      case ROLLING -> " of two schemas";
                      case RECORD_TYPES -> " of %d record types".formatted(Quotes.ROUTES);
                      case FIELD_VALUES -> " with %d values of a field".formatted(Quotes.ROUTES);
                    },
                    workload.tasks() == 1 ? "one task" : workload.tasks() + " tasks"),
            "records per second, more is better",
            Axis.LINEAR);
    chart.group("records per second, median of %d rounds".formatted(options.rounds()));
    for (Trial trial : trials) {
      chart.bar(
          trial.sinkName(),
          trial.median(Round::recordsPerSecond),
          "(%.0f MiB per CPU second)".formatted(trial.median(Round::mebibytesPerCpuSecond)));
    }
    return chart;
  }

  /** Returns the charts of a curve, each with a group for each point. */
  private List<BarChart> growth(GrowthCurve curve) {
    return List.of(
        growth(curve, "records per second, more is better", Round::recordsPerSecond),
        growth(curve, "MiB per CPU second, more is better", Round::mebibytesPerCpuSecond),
        growth(
            curve, "CPU seconds per million records, less is better", Round::cpuSecondsPerMillion),
        growth(curve, "MiB of heap at the peak, with garbage", Round::peakHeapMegabytes),
        growth(curve, "MiB of heap at the least, nearly all live", Round::leastHeapMegabytes));
  }

  private BarChart growth(GrowthCurve curve, String unit, ToDoubleFunction<Round> figure) {
    var chart = new BarChart("By " + curve.title(), unit, Axis.LINEAR);
    var points = new ArrayList<Workload>();
    for (Trial trial : trials) {
      Workload workload = trial.workload();
      if (!points.contains(workload)) {
        points.add(workload);
        chart.group("%,d %s".formatted(curve.point(workload), curve.title()));
      }
      chart.bar(trial.sinkName(), trial.median(figure));
    }
    return chart;
  }
}
