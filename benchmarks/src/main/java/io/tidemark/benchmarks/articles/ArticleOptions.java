package io.tidemark.benchmarks.articles;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * How an experiment is to be run.
 *
 * @param quick less than a minute, else less than ten
 * @param hdfs whether files are written to an HDFS of the local stack too
 * @param terminal whether progress may overwrite its line
 * @param rounds how many JVMs each case gets, if the experiment's own number is not wanted
 * @param results where the result files go, if not to the experiment's folder
 */
public record ArticleOptions(
    boolean quick,
    boolean hdfs,
    boolean terminal,
    Optional<Integer> rounds,
    Optional<Path> results) {

  /**
   * Reads the arguments that {@code benchmarks/articles/run} hands on.
   *
   * @throws IllegalArgumentException for one that makes no sense
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

  /** After which time no further round begins. */
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
