package io.tidemark.benchmarks.articles;

import io.tidemark.benchmarks.articles.avrobenchmark.AvroBenchmark;
import io.tidemark.benchmarks.articles.avrofastserde.AvroFastSerde;
import io.tidemark.benchmarks.articles.fastavrowrite.FastAvroWrite;
import io.tidemark.benchmarks.run.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Runs one experiment. {@code benchmarks/articles/run} starts it. */
public final class ArticleRun {
  private ArticleRun() {}

  /**
   * Measures, prints the tables and writes the result files.
   *
   * @param arguments the module's directory, the experiment's name, then the options that {@code
   *     benchmarks/articles/run --help} lists
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path module = Path.of(arguments[0]);
    Experiment experiment;
    ArticleOptions options;
    try {
      Path temporary = Files.createDirectories(module.resolve("target/articles").toAbsolutePath());
      experiment = named(arguments[1], module, temporary);
      options = ArticleOptions.parse(Arrays.asList(arguments).subList(2, arguments.length));
    } catch (IllegalArgumentException e) {
      System.err.println("articles: " + e.getMessage());
      System.exit(2);
      return;
    }
    var run = Machine.describe(module);
    // The script reads it before any result file is written, which would make the checkout dirty.
    String commit = System.getenv("ARTICLES_COMMIT");
    if (commit != null) {
      run.put("commit", commit);
    }
    run.put("quick", options.quick());
    Outcome outcome = experiment.run(options);
    var report = new ArticleReport(experiment.name(), outcome, run);
    report.print(System.out);
    Path results =
        options
            .results()
            .map(directory -> directory.resolve(experiment.name()))
            .orElse(module.resolve("articles").resolve(experiment.name()));
    report.write(results);
    System.out.printf("%nWritten to %s%n", results);
  }

  /** Returns the experiment with a name. */
  private static Experiment named(String name, Path module, Path temporary) {
    List<Experiment> all =
        List.of(
            new AvroBenchmark(),
            new FastAvroWrite(temporary),
            new AvroFastSerde(module, temporary));
    return all.stream()
        .filter(experiment -> experiment.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no experiment \"%s\", only %s"
                        .formatted(name, all.stream().map(Experiment::name).toList())));
  }
}
