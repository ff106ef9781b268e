package io.tidemark.benchmarks.landing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * What a run is to do.
 *
 * @param rolling whether every second record has a newer schema
 * @param rounds how often each sink runs over the topic
 * @param plugins archives beside those of this build
 * @param configurations the sinks
 */
record LandingOptions(
    long records,
    boolean rolling,
    int rounds,
    int heapMegabytes,
    List<Path> plugins,
    List<Path> configurations,
    Path results) {

  LandingOptions {
    plugins = List.copyOf(plugins);
    configurations = List.copyOf(configurations);
  }

  /**
   * Reads the arguments that {@code benchmarks/landing} hands on.
   *
   * @throws IllegalArgumentException for one that makes no sense
   */
  static LandingOptions parse(List<String> arguments, Path module) {
    long records = arguments.contains("--quick") ? 12_000_000 : 20_000_000;
    boolean rolling = arguments.contains("--rolling");
    int rounds = 3;
    int heap = 1_024;
    var plugins = new ArrayList<Path>();
    var configurations =
        new ArrayList<>(
            List.of(
                module.resolve("config/counting.json"),
                module.resolve("config/raw-copy.json"),
                module.resolve("config/ours.json")));
    Path results = module.resolve("results");
    for (Iterator<String> rest = arguments.iterator(); rest.hasNext(); ) {
      String argument = rest.next();
      switch (argument) {
        case "--quick", "--rolling" -> {}
        case "--records" -> records = Long.parseLong(value(argument, rest));
        case "--rounds" -> rounds = Integer.parseInt(value(argument, rest));
        case "--heap" -> heap = Integer.parseInt(value(argument, rest));
        case "--plugin" -> plugins.add(Path.of(value(argument, rest)));
        case "--config" -> configurations.add(Path.of(value(argument, rest)));
        case "--results" -> results = Path.of(value(argument, rest));
        default ->
            throw new IllegalArgumentException(
                argument + " is not an option; benchmarks/landing --help lists them");
      }
    }
    return new LandingOptions(records, rolling, rounds, heap, plugins, configurations, results);
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value; see benchmarks/landing --help");
    }
    return rest.next();
  }
}
