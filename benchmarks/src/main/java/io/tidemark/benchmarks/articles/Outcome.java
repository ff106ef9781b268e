package io.tidemark.benchmarks.articles;

import io.tidemark.benchmarks.run.BarChart;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of an experiment.
 *
 * @param figures every case with every round
 * @param tables the printed tables
 * @param plots the plots by the name of the SVG file, without its extension
 * @param settings the settings of the run. Example: {@code warmUpMs} is 1400
 */
public record Outcome(
    List<Figure> figures,
    List<Table> tables,
    Map<String, BarChart> plots,
    Map<String, Object> settings) {

  public Outcome {
    figures = List.copyOf(figures);
    tables = List.copyOf(tables);
    plots = Collections.unmodifiableMap(new LinkedHashMap<>(plots));
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }
}
