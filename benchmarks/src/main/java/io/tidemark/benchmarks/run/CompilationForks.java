package io.tidemark.benchmarks.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.benchmarks.contenders.PlanCompilation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs {@link PlanCompilation} in JVMs of its own and takes the medians. */
final class CompilationForks {
  private static final double BOUND_MS = 50;

  private CompilationForks() {}

  static List<Target> measure(int forks) throws IOException, InterruptedException {
    double[] first = new double[forks];
    double[] later = new double[forks];
    for (int i = 0; i < forks; i++) {
      String[] nanos = fork().split(" ", -1);
      first[i] = Double.parseDouble(nanos[0]) / 1e6;
      later[i] = Double.parseDouble(nanos[1]) / 1e6;
    }
    return List.of(
        target("a plan of 300 fields compiled, the first of its JVM", first),
        target("a plan of 300 fields compiled, after 20 others", later));
  }

  private static Target target(String claim, double[] milliseconds) {
    return new Target(claim, Measurement.median(milliseconds), BOUND_MS, "ms", false);
  }

  private static String fork() throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Rounds.JVM_OPTIONS);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), PlanCompilation.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String answer = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the measurement of plan compilation has failed, see above");
    }
    return answer;
  }
}
