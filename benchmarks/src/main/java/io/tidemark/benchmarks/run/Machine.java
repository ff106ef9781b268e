package io.tidemark.benchmarks.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The machine of a run, for {@code machine.json}. */
public final class Machine {
  private static final String UNKNOWN = "unknown";

  private Machine() {}

  /**
   * Returns the facts by name, in a fixed order.
   *
   * @param repository a folder of the checkout whose commit is recorded
   */
  public static Map<String, Object> describe(Path repository) throws InterruptedException {
    var facts = new LinkedHashMap<String, Object>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("commit", commit(repository));
    facts.put("cpu", field("/proc/cpuinfo", "model name"));
    facts.put("cores", Runtime.getRuntime().availableProcessors());
    facts.put("memory", field("/proc/meminfo", "MemTotal"));
    facts.put("os", System.getProperty("os.name") + ' ' + System.getProperty("os.version"));
    facts.put(
        "jdk", System.getProperty("java.vm.name") + ' ' + System.getProperty("java.vm.version"));
    facts.put("loadAverage", firstLine("/proc/loadavg"));
    return facts;
  }

  private static String commit(Path repository) throws InterruptedException {
    try {
      Process git =
          new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=12")
              .directory(repository.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer = new String(git.getInputStream().readAllBytes(), UTF_8).strip();
      return git.waitFor(10, TimeUnit.SECONDS) && !answer.isEmpty() ? answer : UNKNOWN;
    } catch (IOException noGit) {
      return UNKNOWN;
    }
  }

  private static String field(String file, String name) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(UNKNOWN);
    } catch (IOException notLinux) {
      return UNKNOWN;
    }
  }

  private static String firstLine(String file) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines.findFirst().orElse(UNKNOWN);
    } catch (IOException notLinux) {
      return UNKNOWN;
    }
  }
}
