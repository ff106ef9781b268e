package io.tidemark.benchmarks.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;

/**
 * The options of a run.
 *
 * @param quick whether to run only the cells of the targets
 * @param terminal whether progress may overwrite its line
 * @param only a regular expression that selects the cells
 * @param results the folder of the result files
 * @param rounds the number of forks of each cell
 * @param budget the time after which no further round begins
 * @param warmups the number of uncounted iterations, of {@code warmup} each
 * @param iterations the number of counted iterations, of {@code iteration} each
 */
record RunOptions(
    boolean quick,
    boolean terminal,
    String only,
    Path results,
    int rounds,
    Duration budget,
    int warmups,
    Duration warmup,
    int iterations,
    Duration iteration) {

  /**
   * Reads the arguments that {@code benchmarks/run} passes on.
   *
   * @throws IllegalArgumentException for an invalid argument
   */
  static RunOptions parse(List<String> arguments, Path module) {
    boolean quick = arguments.contains("--quick");
    boolean terminal = false;
    String only = "";
    Path results = module.resolve(quick ? "results" : "results/full");
    int rounds = 3;
    Duration budget = quick ? Duration.ofSeconds(210) : Duration.ofMinutes(45);
    for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
      String argument = rest.next();
      switch (argument) {
        case "--quick" -> {}
        case "--terminal" -> terminal = true;
        case "--only" -> only = value(argument, rest);
        case "--results" -> results = Path.of(value(argument, rest));
        case "--rounds" -> rounds = Integer.parseInt(value(argument, rest));
        case "--budget" -> budget = Duration.ofSeconds(Long.parseLong(value(argument, rest)));
        default ->
            throw new IllegalArgumentException(
                argument + " is not an option; benchmarks/run --help lists them");
      }
    }
    return new RunOptions(
        quick,
        terminal,
        only,
        results,
        rounds,
        budget,
        2,
        Duration.ofMillis(700),
        4,
        Duration.ofMillis(250));
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value; see benchmarks/run --help");
    }
    return rest.next();
  }
}
