package io.tidemark.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One server of the stack: a process that can be stopped, killed, suspended and restarted with the
 * same ports and data. Safe for use by several threads.
 */
public final class ServerProcess {

  private static final Duration READY_DEADLINE = Duration.ofMinutes(3);
  private static final Duration STOP_GRACE = Duration.ofSeconds(15);

  private final String name;
  private final Command command;
  private final Path directory;
  private final ServerLog log;
  private final HealthCheck healthCheck;
  private final Watchdog watchdog;
  private @Nullable Process process;

  ServerProcess(
      String name, Command command, StackFiles files, HealthCheck healthCheck, Watchdog watchdog) {
    this.name = name;
    this.command = command;
    this.directory = files.data(name);
    this.log = files.log(name);
    this.healthCheck = healthCheck;
    this.watchdog = watchdog;
  }

  /** Returns the name of the server and of its log. Example: {@code connect-1}. */
  public String name() {
    return name;
  }

  public ServerLog log() {
    return log;
  }

  /**
   * Starts the server and returns when it answers.
   *
   * @throws IllegalStateException if it runs already
   * @throws ServerFailedException if the server ends or does not answer in time, with the end of
   *     its log
   */
  public void start() {
    launch();
    awaitReady();
  }

  /** Starts the server and returns at once. */
  synchronized void launch() {
    if (isAlive()) {
      throw new IllegalStateException(name + " is already running, as process " + pid());
    }
    try {
      Files.createDirectories(directory);
      ProcessBuilder builder =
          new ProcessBuilder(command.commandLine())
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
      builder.environment().putAll(command.environment());
      Process started = builder.start();
      watchdog.watch(started);
      process = started;
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be started in " + directory, e);
    }
  }

  /** Returns when the server answers. */
  void awaitReady() {
    try {
      Polling.until(
          name + " answers",
          READY_DEADLINE,
          () -> {
            if (!isAlive()) {
              throw new ServerFailedException(name + " has ended before it answered");
            }
            return healthCheck.problem();
          });
    } catch (ServerFailedException e) {
      throw new ServerFailedException(e.getMessage() + "\n" + log.tail(), e);
    }
  }

  /**
   * Returns why the server is not ready; empty if it is. Sends a request and waits for the answer.
   */
  public Optional<String> problem() {
    return isAlive() ? healthCheck.problem() : Optional.of("its process has ended");
  }

  /** Requests the server to end; returns at once. */
  synchronized void askToStop() {
    if (process != null) {
      process.destroy();
    }
  }

  /**
   * Requests the server to end, and kills it if it does not end in time. Does nothing if it is
   * down.
   */
  public void stop() {
    end(Process::destroy, STOP_GRACE);
  }

  /** Kills the server as a loss of power would, with SIGKILL. */
  public void kill() {
    end(Process::destroyForcibly, Duration.ZERO);
  }

  /** Suspends the server (SIGSTOP): its connections stay open, and it answers no request. */
  public void suspend() {
    signal("STOP");
  }

  /** Resumes a suspended server (SIGCONT). */
  public void resume() {
    signal("CONT");
  }

  private synchronized void signal(String signal) {
    List<String> command = List.of("kill", "-" + signal, Long.toString(pid()));
    try {
      int exitCode = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (exitCode != 0) {
        throw new ServerFailedException(
            "%s: %s ended with exit code %d".formatted(name, String.join(" ", command), exitCode));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(name + ": " + String.join(" ", command) + " failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailedException(name + ": interrupted while SIG" + signal + " was sent", e);
    }
  }

  private synchronized void end(Consumer<Process> how, Duration grace) {
    Process ending = process;
    if (ending == null) {
      return;
    }
    how.accept(ending);
    try {
      if (!ending.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
        ending.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      ending.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    watchdog.forget(ending);
    process = null;
  }

  public synchronized boolean isAlive() {
    return process != null && process.isAlive();
  }

  /**
   * Returns the id of the running process.
   *
   * @throws IllegalStateException if the server is down
   */
  public synchronized long pid() {
    if (process == null) {
      throw new IllegalStateException(name + " is down: it has no process id");
    }
    return process.pid();
  }

  /** Returns the MBeans of the running process. */
  public ProcessBeans beans() throws IOException {
    return ProcessBeans.of(pid());
  }

  @Override
  public String toString() {
    return name;
  }
}
