package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

/** A program that prepares the data of a server and ends. */
final class Tool {

  private static final int DEADLINE_SECONDS = 120;

  private Tool() {}

  /**
   * Runs the program in the server's data directory. Its output is appended to the server's log.
   *
   * @throws ServerFailedException if it fails or does not end in time
   */
  static void run(String server, Command command, StackFiles files, Watchdog watchdog) {
    ServerLog log = files.log(server);
    ProcessBuilder builder =
        new ProcessBuilder(command.commandLine())
            .directory(files.data(server).toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
    builder.environment().putAll(command.environment());
    try {
      Process process = builder.start();
      watchdog.watch(process);
      boolean ended = false;
      try {
        ended = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
      } finally {
        process.destroyForcibly();
        watchdog.forget(process);
      }
      if (!ended || process.exitValue() != 0) {
        throw new ServerFailedException(
            "%s: %s %s; %s"
                .formatted(
                    server,
                    command.program(),
                    ended
                        ? "ended with exit code " + process.exitValue()
                        : "did not end in " + DEADLINE_SECONDS + " s",
                    log.tail()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(server + ": " + command.program() + " cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailedException(server + ": interrupted while it was prepared", e);
    }
  }
}
