package io.tidemark.completeness.reckon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.RepeatingThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ReckonerThreadTest {
  private static final Duration STOPPED_WITHIN = Duration.ofMillis(900);

  private final ReckonedWorld world = new ReckonedWorld();
  private final List<ReckonerHealth> told = new CopyOnWriteArrayList<>();

  /** Starts the thread as a connector does. */
  private RepeatingThread start() {
    return RepeatingThread.start(
        "tidemark-ledger-sales",
        "nothing is shown to be complete",
        () -> world.reckoner("w1"),
        reckoner -> {
          Duration pause = reckoner.cycle();
          told.add(reckoner.health());
          return pause;
        });
  }

  private boolean isOurs() {
    return !told.isEmpty() && told.get(told.size() - 1).ours();
  }

  private static void await(java.util.function.BooleanSupplier condition) throws Exception {
    while (!condition.getAsBoolean()) {
      Thread.sleep(10);
    }
  }

  @Test
  void goesRoundUntilItIsStoppedWithinASecond() throws Exception {
    world.kafka().set("orders", "id", 0);
    RepeatingThread thread = start();
    await(this::isOurs);
    long begun = System.nanoTime();

    assertThat(thread.stop(STOPPED_WITHIN)).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
    assertThat(thread.stop(STOPPED_WITHIN)).isTrue();
  }

  @Test
  void failureIsShownAndTriedAgain() throws Exception {
    world.kafka().set("orders", "id", 0);
    world.faulty().failBefore(call -> true);
    RepeatingThread thread = start();
    await(() -> thread.problem().isPresent());
    assertThat(isOurs()).isFalse();

    world.faulty().heal();
    await(() -> isOurs() && thread.problem().isEmpty());
    assertThat(thread.stop(STOPPED_WITHIN)).isTrue();
  }

  @Test
  void stopWaitsNoLongerThanASecondForACallThatHangs() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    world
        .faulty()
        .failBefore(
            call -> {
              hangs.countDown();
              boolean interrupted = false;
              while (true) {
                try {
                  if (answered.await(20, TimeUnit.SECONDS) && interrupted) {
                    Thread.currentThread().interrupt();
                  }
                  return true;
                } catch (InterruptedException e) {
                  interrupted = true; // Some clients of services ignore it.
                }
              }
            });
    RepeatingThread thread = start();
    hangs.await();
    long begun = System.nanoTime();

    assertThat(thread.stop(STOPPED_WITHIN)).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
    answered.countDown();
    await(() -> thread.stop(STOPPED_WITHIN));
  }
}
