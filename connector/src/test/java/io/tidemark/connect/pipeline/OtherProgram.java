package io.tidemark.connect.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A test's program in a separate JVM, because the levels of the log are set at the start of a JVM.
 */
public final class OtherProgram {
  private static final long HANGING_MINUTES = 5;

  private OtherProgram() {}

  /**
   * Runs a class's {@code main} with all levels of Tidemark's log, and requires that it succeeds.
   *
   * @param output the file for its output
   * @return its output
   */
  public static String run(Class<?> program, Path output, String... arguments)
      throws IOException, InterruptedException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command =
        new ArrayList<>(
            List.of(
                jdk("java"),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
                "-Dorg.slf4j.simpleLogger.log.io.tidemark=trace",
                "-Dtidemark.local.directory=/",
                "-cp",
                classPath,
                program.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    int status = ended(process);
    String said = Files.readString(output);
    assertThat(status).as(said).isZero();
    return said;
  }

  /** The path of a program of the JDK. */
  static String jdk(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /** Waits for its end and returns its exit code. */
  static int ended(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(HANGING_MINUTES, TimeUnit.MINUTES)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return process.exitValue();
  }
}
