package io.tidemark.completeness.reckon;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ReckonerThreadTest {
  private final ReckonedWorld world = new ReckonedWorld();

  private static void await(java.util.function.BooleanSupplier condition) throws Exception {
    while (!condition.getAsBoolean()) {
      Thread.sleep(10);
    }
  }

  @Test
  void goesRoundUntilItIsStoppedWithinASecond() throws Exception {
    world.kafka().set("orders", "id", 0);
    List<ReckonerHealth> told = new CopyOnWriteArrayList<>();
    ReckonerThread thread = ReckonerThread.start("sales", () -> world.reckoner("w1"), told::add);
    await(() -> !told.isEmpty() && told.get(told.size() - 1).ours());
    long begun = System.nanoTime();

    assertThat(thread.stop()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(1));
    assertThat(thread.stop()).isTrue();
  }

  @Test
  void failureIsShownAndTriedAgain() throws Exception {
    world.kafka().set("orders", "id", 0);
    world.faulty().failBefore(call -> true);
    ReckonerThread thread = ReckonerThread.start("sales", () -> world.reckoner("w1"), health -> {});
    await(() -> thread.health().problem().isPresent());
    assertThat(thread.health().ours()).isFalse();

    world.faulty().heal();
    await(() -> thread.health().ours() && thread.health().problem().isEmpty());
    assertThat(thread.stop()).isTrue();
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
    ReckonerThread thread = ReckonerThread.start("sales", () -> world.reckoner("w1"), health -> {});
    hangs.await();
    long begun = System.nanoTime();

    assertThat(thread.stop()).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
    answered.countDown();
    await(thread::stop);
  }
}
