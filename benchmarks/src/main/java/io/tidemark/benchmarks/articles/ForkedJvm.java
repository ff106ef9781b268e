package io.tidemark.benchmarks.articles;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs a JVM that measures one case and prints figures. */
public final class ForkedJvm {
  /** The options of every fork; the heap is larger than any contender needs. */
  public static final List<String> OPTIONS =
      List.of("-Xms1g", "-Xmx1g", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");

  private ForkedJvm() {}

  /**
   * Runs a main class to its end and returns what it printed, line by line.
   *
   * @param classPath the class path, with colons between its entries
   * @throws IllegalStateException if it failed; its error is on the standard error
   */
  public static List<String> lines(String classPath, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(OPTIONS);
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(
          "%s %s has failed, see above".formatted(main.getSimpleName(), arguments));
    }
    return lines;
  }

  /** Returns the numbers of a line, which are separated by blanks. */
  public static double[] numbers(String line) {
    return Arrays.stream(line.strip().split(" +", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  /** Returns the class path of this JVM. */
  public static String ownClassPath() {
    return System.getProperty("java.class.path");
  }
}
