package io.tidemark.benchmarks.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.benchmarks.contenders.PlanCompilation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs {@link PlanCompilation} in separate JVMs and takes the medians. */
final class CompilationForks {
  private static final double BOUND_MS = 50;

  private CompilationForks() {}

  static List<Target> measure(int forks) throws IOException, InterruptedException {
    double[] cold = new double[forks];
    double[] first = new double[forks];
    double[] later = new double[forks];
    for (int i = 0; i < forks; i++) {
      cold[i] = milliseconds(fork())[0];
      double[] warm = milliseconds(fork(PlanCompilation.WARM_UP));
      first[i] = warm[0];
      later[i] = warm[1];
    }
    return List.of(
        target("compilation of a plan of 300 fields, the first in its JVM, cold", cold),
        target("compilation of a plan of 300 fields, the first in its JVM, warmed up", first),
        target("compilation of a plan of 300 fields, after 20 others", later));
  }

  private static Target target(String claim, double[] milliseconds) {
    return new Target(claim, Measurement.median(milliseconds), BOUND_MS, "ms", false);
  }

  private static double[] milliseconds(String nanos) {
    return Arrays.stream(nanos.split(" ", -1))
        .mapToDouble(n -> Double.parseDouble(n) / 1e6)
        .toArray();
  }

  private static String fork(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Rounds.JVM_OPTIONS);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), PlanCompilation.class.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String answer = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the measurement of plan compilation has failed, see above");
    }
    return answer;
  }
}
