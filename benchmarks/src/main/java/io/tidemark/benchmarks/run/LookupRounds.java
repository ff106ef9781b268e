package io.tidemark.benchmarks.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.benchmarks.registry.LookupFork;
import io.tidemark.benchmarks.registry.Question;
import io.tidemark.benchmarks.registry.RegistryHost;
import io.tidemark.benchmarks.registry.RegistryHostProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures the clients in rounds, each question in a separate JVM, and counts the requests to a
 * {@link RegistryHost} in another JVM. Used by one thread.
 */
final class LookupRounds {
  private final Path temporary;

  /**
   * Creates rounds of lookups.
   *
   * @param temporary the directory of the copies on disk
   */
  LookupRounds(Path temporary) {
    this.temporary = temporary;
  }

  /** Measures the cells in each round and returns their medians. */
  List<LookupMeasurement> measure(List<LookupCell> cells, int rounds)
      throws IOException, InterruptedException {
    if (cells.isEmpty()) {
      return List.of();
    }
    try (RegistryHostProcess host = RegistryHostProcess.start()) {
      return measure(cells, rounds, host.url());
    }
  }

  private List<LookupMeasurement> measure(List<LookupCell> cells, int rounds, String url)
      throws IOException, InterruptedException {
    for (LookupCell cell : cells) {
      if (cell.question() == Question.COPIED_IDS) {
        Files.deleteIfExists(copy(cell));
        fork(new LookupCell(Question.COLD_IDS, cell.contender()), url, List.of(copy(cell)));
      }
    }
    Map<LookupCell, List<LookupMeasurement.Fork>> forks = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      System.out.printf("lookups, round %d of %d%n", round, rounds);
      for (LookupCell cell : cells) {
        List<Path> copy = cell.question() == Question.COPIED_IDS ? List.of(copy(cell)) : List.of();
        forks.computeIfAbsent(cell, key -> new ArrayList<>()).add(fork(cell, url, copy));
      }
    }
    return forks.entrySet().stream()
        .map(entry -> LookupMeasurement.of(entry.getKey(), entry.getValue()))
        .toList();
  }

  private Path copy(LookupCell cell) {
    return temporary.resolve("schemas-of-" + cell.contender().label());
  }

  private LookupMeasurement.Fork fork(LookupCell cell, String url, List<Path> copy)
      throws IOException, InterruptedException {
    var options = new ArrayList<>(Rounds.JVM_OPTIONS);
    options.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
    List<String> command = java(options, LookupFork.class);
    command.addAll(List.of(cell.contender().label(), cell.question().label(), url));
    copy.forEach(file -> command.add(file.toString()));
    long requests = requests(url);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String answer = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the measurement of " + cell + " has failed, see above");
    }
    return new LookupMeasurement.Fork(LookupFork.Answer.parse(answer), requests(url) - requests);
  }

  private static long requests(String url) throws IOException {
    try (InputStream answer = URI.create(url + "/requests").toURL().openStream()) {
      return Long.parseLong(new String(answer.readAllBytes(), UTF_8));
    }
  }

  private static List<String> java(List<String> options, Class<?> main) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return command;
  }
}
