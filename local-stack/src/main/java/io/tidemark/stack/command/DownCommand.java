package io.tidemark.stack.command;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@code ./stack down}: ends the supervisor, which ends its servers, and then all processes that
 * remain.
 *
 * <p>It ends only the processes in the state file.
 */
final class DownCommand {

  private final Path stateFile;
  private final Duration grace;
  private final PrintStream out;

  /**
   * @param grace the time that the supervisor has to stop its servers before it is killed
   */
  DownCommand(Path stateFile, Duration grace, PrintStream out) {
    this.stateFile = stateFile;
    this.grace = grace;
    this.out = out;
  }

  /** Returns 0 if no process is left, otherwise 1. */
  int run() {
    Optional<StackState> found = StackState.read(stateFile);
    if (found.isEmpty() || !found.get().anyRuns()) {
      out.println("stack: down already");
      deleteState();
      return 0;
    }
    StackState state = found.get();
    state.supervisor().running().ifPresent(this::end);
    for (Member member : state.members()) {
      member
          .process()
          .running()
          .ifPresent(
              left -> {
                out.printf("stack: kills %s, pid %d%n", member.name(), left.pid());
                left.destroyForcibly();
                hasEnded(left, grace);
              });
    }
    if (state.anyRuns()) {
      out.println("stack: not all processes have ended; ./stack status lists them");
      return 1;
    }
    deleteState();
    out.println("stack: down");
    return 0;
  }

  private void end(ProcessHandle supervisor) {
    supervisor.destroy();
    if (!hasEnded(supervisor, grace)) {
      out.printf(
          "stack: kills the supervisor, pid %d: it did not end in %d s%n",
          supervisor.pid(), grace.toSeconds());
      supervisor.destroyForcibly();
      hasEnded(supervisor, grace);
    }
  }

  private static boolean hasEnded(ProcessHandle process, Duration deadline) {
    try {
      process.onExit().get(deadline.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "the end of process " + process.pid() + " was not reported", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void deleteState() {
    try {
      Files.deleteIfExists(stateFile);
    } catch (IOException e) {
      throw new UncheckedIOException(stateFile + " cannot be deleted", e);
    }
  }
}
