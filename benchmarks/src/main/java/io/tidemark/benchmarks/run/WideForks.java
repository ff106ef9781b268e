package io.tidemark.benchmarks.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.benchmarks.contenders.WideRatios;
import io.tidemark.benchmarks.records.ReferenceRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Runs {@link WideRatios} of each wide record in ten JVMs. */
final class WideForks {
  private static final int FORKS = 10;
  private static final String WARM_UP_SECONDS = "1.5";
  private static final String SECONDS = "0.5";

  /** The serializer and the deserializer may need two thirds of the time of Avro's own classes. */
  private static final double BOUND_OF_SERDES = 1.5;

  private WideForks() {}

  /** Returns targets for the lowest ratio and for the median over the JVMs. */
  static List<Target> measure(Predicate<String> wanted) throws IOException, InterruptedException {
    var targets = new ArrayList<Target>();
    for (ReferenceRecord record : ReferenceRecord.wide()) {
      if (wanted.test(record.name())) {
        double[][] forks = new double[FORKS][];
        for (int i = 0; i < FORKS; i++) {
          System.out.printf("%s, JVM %d of %d%n", record.name(), i + 1, FORKS);
          forks[i] = fork(record.name());
        }
        for (int work = 0; work < WideRatios.WORKS.size(); work++) {
          add(record.name(), work, forks, targets);
        }
      }
    }
    return targets;
  }

  private static void add(String record, int work, double[][] forks, List<Target> targets) {
    double[] ratios = Arrays.stream(forks).mapToDouble(fork -> fork[work]).sorted().toArray();
    String name = WideRatios.WORKS.get(work);
    boolean serde = name.contains("serialize");
    String claim = "%s of %s against Avro 1.12.1, ".formatted(name, record);
    targets.add(new Target(claim + "lowest of ten JVMs", ratios[0], 1, "times", true));
    targets.add(
        new Target(
            claim + "median",
            Measurement.median(ratios),
            serde ? BOUND_OF_SERDES : 1,
            "times",
            true));
  }

  private static double[] fork(String record) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Rounds.JVM_OPTIONS);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            WideRatios.class.getName(),
            record,
            WARM_UP_SECONDS,
            SECONDS));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String answer = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("the measurement of " + record + " has failed, see above");
    }
    return Arrays.stream(answer.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
  }
}
