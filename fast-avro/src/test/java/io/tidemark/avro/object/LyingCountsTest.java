package io.tidemark.avro.object;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link LyingCounts} in a JVM with a small heap and Avro's default limits. With the smaller
 * limits of this module's tests, Avro's own library refuses such counts.
 */
final class LyingCountsTest {

  @Test
  void countsThatDoNotFitTheBytesAreRefusedWithoutAvrosLimits(@TempDir Path directory)
      throws Exception {
    Path output = directory.resolve("output");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                LyingCounts.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(program.waitFor(120, SECONDS)).isTrue();
    } finally {
      program.destroyForcibly();
    }
    assertThat(program.exitValue()).as(Files.readString(output)).isZero();
    assertThat(Files.readString(output)).contains("13 tests succeeded");
  }
}
