package io.tidemark.stack;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A shell that kills the servers that this JVM leaves running when it ends.
 *
 * <p>A shutdown hook stops the servers after a normal end and after SIGTERM or Ctrl-C, but nothing
 * in a JVM runs after SIGKILL. The shell reads the process ids from a pipe from this JVM. The end
 * of the JVM closes the pipe. The shell then kills every process with an order to watch and no
 * later order to forget. Safe for use by several threads.
 */
final class Watchdog implements AutoCloseable {

  // The terminal sends signals to the whole process group, so the shell must ignore them.
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      watched=' '
      while read -r order pid; do
        case $order in
          watch) watched="$watched$pid " ;;
          forget) watched="${watched%% $pid *} ${watched#* $pid }" ;;
        esac
      done
      for pid in $watched; do kill -KILL "$pid" 2>/dev/null; done
      """;

  private final Process shell;
  private final BufferedWriter orders;

  Watchdog() {
    try {
      shell =
          new ProcessBuilder("sh", "-c", SCRIPT)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException("the shell that watches over the servers cannot start", e);
    }
    orders = shell.outputWriter(StandardCharsets.US_ASCII);
  }

  /** Kills the process if it cannot be watched. */
  void watch(Process process) {
    try {
      order("watch", process);
    } catch (UncheckedIOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  void forget(Process process) {
    order("forget", process);
  }

  private synchronized void order(String order, Process process) {
    try {
      orders.write(order + " " + process.pid() + "\n");
      orders.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the shell that watches over the servers has ended", e);
    }
  }

  /** Ends the shell, which then kills what is still watched. */
  @Override
  public synchronized void close() {
    try {
      orders.close();
      shell.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("the shell that watches over the servers has ended", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
