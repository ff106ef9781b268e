package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hostile schema or record never prevents that another topic of its task lands: {@link Poison}.
 *
 * <p>The system property {@code io.tidemark.poisons} is their number. The seed of the first is
 * drawn anew for each run, or {@code io.tidemark.poisons.seed}; the others have the seeds that
 * follow.
 */
final class PoisonTest {
  private static final long POISONS = Long.getLong("io.tidemark.poisons", 12);
  private static final long SEED =
      Long.getLong("io.tidemark.poisons.seed", new SplittableRandom().nextInt(Integer.MAX_VALUE));

  @TempDir private Path directory;

  @Test
  void poisonInOneTopicLeavesTheOtherTopicOfTheTaskAlone() throws Exception {
    Path log = directory.resolve("task.log");
    Process task =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                PoisonedTopics.class.getName(),
                directory.toString(),
                Long.toString(SEED),
                Long.toString(POISONS))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(task.waitFor(5 + POISONS / 4, TimeUnit.MINUTES)).as("it ends by itself").isTrue();
    } finally {
      task.destroyForcibly();
      Files.readAllLines(log).stream()
          .filter(line -> line.startsWith("poison"))
          .forEach(System.out::println);
    }
    assertThat(task.exitValue()).isZero();
  }
}
