package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RepeatingThreadTest {

  /** For example, the class loader finds another plugin's version of a library. */
  @Test
  void errorIsToldAndTheStepTriedAgain() throws Exception {
    AtomicInteger tried = new AtomicInteger();
    CountDownLatch told = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(2);
    RepeatingThread thread =
        RepeatingThread.start(
            "tidemark-test",
            "nothing waits",
            () -> "opened",
            opened -> {
              if (tried.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("org/apache/avro/Schema");
              }
              told.await();
              goesOn.countDown();
              return Duration.ZERO;
            });
    while (tried.get() < 2) {
      Thread.sleep(10);
    }

    assertThat(thread.problem()).contains("NoClassDefFoundError: org/apache/avro/Schema");
    told.countDown();
    goesOn.await();
    assertThat(thread.problem()).isEmpty();
    assertThat(thread.stop(Duration.ofSeconds(5))).isTrue();
  }

  /** A library may interrupt a thread of Tidemark. Only a stop may end the thread. */
  @Test
  void interruptWithoutAStopDoesNotEndIt() throws Exception {
    CountDownLatch goesOn = new CountDownLatch(3);
    RepeatingThread thread =
        RepeatingThread.start(
            "tidemark-test",
            "nothing waits",
            () -> "opened",
            opened -> {
              goesOn.countDown();
              Thread.currentThread().interrupt();
              return Duration.ofMillis(1);
            });

    assertThat(goesOn.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(thread.stop(Duration.ofSeconds(5))).isTrue();
  }
}
