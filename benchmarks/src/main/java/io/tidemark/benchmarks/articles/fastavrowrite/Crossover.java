package io.tidemark.benchmarks.articles.fastavrowrite;

import java.util.List;
import java.util.OptionalInt;

/** Finds the number of records from which parallel writing is faster. */
final class Crossover {
  private Crossover() {}

  /** A number of records, with the times of both ways. */
  record Point(int records, double serialMs, double parallelMs) {}

  /**
   * Returns the least number of records from which parallel writing is faster at every point; empty
   * if it is not faster at the last one.
   *
   * @param points the points in ascending order of records
   */
  static OptionalInt of(List<Point> points) {
    OptionalInt from = OptionalInt.empty();
    for (int i = points.size() - 1; i >= 0; i--) {
      Point point = points.get(i);
      if (point.parallelMs() >= point.serialMs()) {
        break;
      }
      from = OptionalInt.of(point.records());
    }
    return from;
  }
}
