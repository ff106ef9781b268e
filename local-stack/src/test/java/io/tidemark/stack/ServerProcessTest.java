package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
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
  void heapOfNothingIsRefused() {
    assertThatThrownBy(() -> new JavaCommand("jars", "Main", 0, List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Main: a heap of 0 MiB");
  }
}
