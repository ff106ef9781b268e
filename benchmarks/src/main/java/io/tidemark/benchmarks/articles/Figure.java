package io.tidemark.benchmarks.articles;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The results of a case in every round.
 *
 * @param group the name of the cases that it is compared with
 * @param name the work, with the same name for all contenders
 * @param unit the unit of the rounds and of the article's figure. Example: {@code operations/s}
 * @param rounds the results in the order of the rounds; at least one
 * @param article the article's own figure, if its text has one
 */
public record Figure(
    String group,
    String name,
    String contender,
    String unit,
    List<Double> rounds,
    OptionalDouble article) {

  public Figure {
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException(group + ", " + name + ", " + contender + ": no round");
    }
    rounds = List.copyOf(rounds);
  }

  /** Returns the median of the rounds; of an even number, the mean of the two in the middle. */
  public double median() {
    List<Double> sorted = rounds.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  /** Returns the lowest result of the rounds. */
  public double lowest() {
    return rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  /** Returns the highest result of the rounds. */
  public double highest() {
    return rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  /** Returns the figure in the form of {@code results.json}. */
  Map<String, Object> row() {
    var row = new LinkedHashMap<String, Object>();
    row.put("group", group);
    row.put("case", name);
    row.put("contender", contender);
    row.put("unit", unit);
    row.put("median", rounded(median()));
    row.put("lowest", rounded(lowest()));
    row.put("highest", rounded(highest()));
    row.put("rounds", rounds.stream().map(Figure::rounded).toList());
    article.ifPresent(figure -> row.put("article", figure));
    return row;
  }

  private static double rounded(double value) {
    return Math.round(value * 1_000) / 1_000.0;
  }
}
