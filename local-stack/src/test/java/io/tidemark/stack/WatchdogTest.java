package io.tidemark.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WatchdogTest {

  @Test
  void watchedProcessDiesWithTheWatchdogAndForgottenOneLives() throws Exception {
    Process watched = sleeping();
    Process forgotten = sleeping();
    try (Watchdog watchdog = new Watchdog()) {
      watchdog.watch(forgotten);
      watchdog.watch(watched);
      watchdog.forget(forgotten);
    }
    try {
      assertThat(watched.waitFor(10, TimeUnit.SECONDS)).isTrue();
      assertThat(forgotten.isAlive()).isTrue();
    } finally {
      watched.destroyForcibly();
      forgotten.destroyForcibly();
    }
  }

  private static Process sleeping() throws IOException {
    return new ProcessBuilder("sleep", "300").start();
  }
}
