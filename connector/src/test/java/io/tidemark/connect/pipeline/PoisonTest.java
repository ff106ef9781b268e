package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hostile schema or record never prevents that another topic of its task lands: {@link Poison}.
 *
 * <p>The system property {@code io.tidemark.poisons} is their number. The seed of the first is
 * drawn anew for each run, or {@code io.tidemark.poisons.seed}; the others have the seeds that
 * follow. All have the kind {@code io.tidemark.poisons.kind}, or each its own.
 */
final class PoisonTest {
  private static final long POISONS = Long.getLong("io.tidemark.poisons", 12);
  private static final int KIND = Integer.getInteger("io.tidemark.poisons.kind", Poison.KINDS);
  private static final long SEED =
      Long.getLong("io.tidemark.poisons.seed", new SplittableRandom().nextInt(Integer.MAX_VALUE));

  @TempDir private Path directory;

  @Test
  void poisonInOneTopicLeavesTheOtherTopicOfTheTaskAlone() throws Exception {
    // The tasks mostly wait for flushes, so several need little more time than one.
    long processes = Math.min(4, 1 + POISONS / 100);
    List<Process> tasks = new ArrayList<>();
    try {
      for (long each = 0; each < processes; each++) {
        tasks.add(begin(SEED + each * POISONS, (POISONS + each) / processes, KIND));
      }
      for (Process task : tasks) {
        assertThat(task.waitFor(5 + POISONS / 8, TimeUnit.MINUTES)).as("it ends").isTrue();
      }
    } finally {
      tasks.forEach(Process::destroyForcibly);
      for (long each = 0; each < tasks.size(); each++) {
        Files.readAllLines(log(SEED + each * POISONS)).stream()
            .filter(line -> line.startsWith("poison"))
            .forEach(System.out::println);
      }
    }
    assertThat(tasks).extracting(Process::exitValue).containsOnly(0);
  }

  /** 28 maps of 0.5 MB become 15 MB each: they do not all wait to be appended at once. */
  @Test
  void valuesThatGrowWaitForEachOther() throws Exception {
    Process task = begin(1_136, 1, 8);
    assertThat(task.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
    assertThat(task.exitValue()).isZero();
  }

  private Process begin(long seed, long poisons, int kind) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            PoisonedTopics.class.getName(),
            Files.createDirectory(directory.resolve(Long.toString(seed))).toString(),
            Long.toString(seed),
            Long.toString(poisons),
            Integer.toString(kind))
        .redirectErrorStream(true)
        .redirectOutput(log(seed).toFile())
        .start();
  }

  private Path log(long seed) {
    return directory.resolve(seed + ".log");
  }
}
