package io.tidemark.benchmarks.articles.fastavrowrite;

import java.util.List;
import java.util.OptionalInt;

/** From how many records on it pays to write in parallel. */
final class Crossover {
  private Crossover() {}

  /** A number of records, and how long both ways take. */
  record Point(int records, double serialMs, double parallelMs) {}

  /**
   * The least number of records from which on parallel writing is faster at every point, or nothing
   * if it is not faster at the last one.
   *
   * @param points by ascending numbers of records
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
