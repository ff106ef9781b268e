package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerProcessTest {

  @TempDir private Path directory;

  @Test
  void serverThatEndsAtOnceFailsWithItsLog() {
    try (Watchdog watchdog = new Watchdog()) {
      ServerProcess server =
          new ServerProcess(
              "broken",
              new JavaCommand("nowhere", "no.such.Main", 32, List.of(), List.of()),
              new StackFiles(directory),
              () -> Optional.of("it does not answer"),
              watchdog);
      assertThatThrownBy(server::start)
          .isInstanceOf(ServerFailedException.class)
          .hasMessageContaining("broken has ended before it answered")
          .hasMessageContaining(directory.resolve("logs").resolve("broken.log").toString())
          .hasMessageContaining("no.such.Main");
      assertThat(server.isAlive()).isFalse();
      server.stop();
    }
  }

  @Test
  void suspendedServerStandsStillUntilItIsResumed() {
    try (Watchdog watchdog = new Watchdog()) {
      ServerProcess server =
          new ServerProcess(
              "sleeper",
              new JavaCommand(
                  System.getProperty("java.class.path"),
                  Sleeper.class.getName(),
                  32,
                  List.of(),
                  List.of()),
              new StackFiles(directory),
              Optional::empty,
              watchdog);
      server.start();
      server.suspend();
      awaitStopped(server, true);
      server.resume();
      awaitStopped(server, false);
      server.kill();
      assertThat(server.isAlive()).isFalse();
    }
  }

  private static void awaitStopped(ServerProcess server, boolean stopped) {
    Polling.until(
        server + (stopped ? " stands still" : " goes on"),
        Duration.ofMinutes(1),
        () -> {
          String state = state(server);
          return state.startsWith("T") == stopped
              ? Optional.empty()
              : Optional.of("its state is " + state);
        });
  }

  /** The state in the output of ps. Example: {@code Sl} sleeps, {@code Tl} is stopped. */
  private static String state(ServerProcess server) {
    try {
      Process ps =
          new ProcessBuilder("ps", "-o", "stat=", "-p", Long.toString(server.pid())).start();
      return new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server that does nothing. */
  static final class Sleeper {
    private Sleeper() {}

    public static void main(String[] args) throws InterruptedException {
      Thread.sleep(600_000);
    }
  }

  @Test
  void heapOfNothingIsRefused() {
    assertThatThrownBy(() -> new JavaCommand("jars", "Main", 0, List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Main: a heap of 0 MiB");
  }
}
