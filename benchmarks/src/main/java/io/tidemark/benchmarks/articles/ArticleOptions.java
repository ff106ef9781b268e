package io.tidemark.benchmarks.articles;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The options of an experiment.
 *
 * @param quick whether the run takes less than a minute; otherwise it takes less than ten
 * @param hdfs whether files are also written to HDFS on the local stack
 * @param terminal whether progress may overwrite its line
 * @param rounds the number of JVMs for each case; empty for the experiment's own number
 * @param results the folder of the result files; empty for the experiment's folder
 */
public record ArticleOptions(
    boolean quick,
    boolean hdfs,
    boolean terminal,
    Optional<Integer> rounds,
    Optional<Path> results) {

  /**
   * Reads the arguments that {@code benchmarks/articles/run} passes on.
   *
   * @throws IllegalArgumentException for an invalid argument
   */
  static ArticleOptions parse(List<String> arguments) {
    boolean quick = false;
    boolean hdfs = false;
    boolean terminal = false;
    Optional<Integer> rounds = Optional.empty();
    Optional<Path> results = Optional.empty();
    for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
      String argument = rest.next();
      switch (argument) {
        case "--quick" -> quick = true;
        case "--hdfs" -> hdfs = true;
        case "--terminal" -> terminal = true;
        case "--rounds" -> rounds = Optional.of(positive(argument, value(argument, rest)));
        case "--results" -> results = Optional.of(Path.of(value(argument, rest)));
        default ->
            throw new IllegalArgumentException(
                argument + " is not an option; benchmarks/articles/run --help lists them");
      }
    }
    return new ArticleOptions(quick, hdfs, terminal, rounds, results);
  }

  /** Returns the time after which no further round begins. */
  public Duration budget() {
    return quick ? Duration.ofSeconds(40) : Duration.ofMinutes(9);
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(
          option + " needs a value; see benchmarks/articles/run --help");
    }
    return rest.next();
  }

  private static int positive(String option, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " " + value + ": a number is needed", e);
    }
    throw new IllegalArgumentException(option + " " + value + ": at least 1 is needed");
  }
}
