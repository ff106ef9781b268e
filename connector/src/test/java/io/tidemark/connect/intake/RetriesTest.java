package io.tidemark.connect.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.connect.health.Service;
import io.tidemark.connect.health.Waits;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/**
 * Each step completes its result, even after an error. Otherwise a session would wait for it
 * forever.
 */
final class RetriesTest {
  private static final Retries.Step<String> AWAY =
      () -> {
        throw new IOException("away");
      };

  private final Deque<Runnable> later = new ArrayDeque<>();
  private final Waits waits =
      new Waits(
          Map.of(Service.STORE, "hdfs://nn:8020"),
          () -> 0,
          Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));

  @Test
  void stepIsTriedAgainUntilItsServiceIsBack() {
    int[] tries = {0};
    CompletableFuture<Integer> result =
        retries(Runnable::run, (pauseMs, work) -> later.add(work))
            .of("orders-7", () -> true)
            .until(
                "step",
                () -> {
                  if (++tries[0] < 4) {
                    throw new IOException("away");
                  }
                  return tries[0];
                });
    for (int pauses = 0; pauses < 3; pauses++) {
      assertThat(result).isNotDone();
      assertThat(waits.all())
          .singleElement()
          .hasToString(
              "the store (store.url hdfs://nn:8020) since 1970-01-01T00:00:00Z: away. The cause is"
                  + " not known. Check that the service runs and that store.url is correct, and see its"
                  + " log. The task retries.");
      later.remove().run();
    }
    assertThat(result).isCompletedWithValue(4);
    assertThat(waits.all()).isEmpty();
  }

  @Test
  void stepFailsWhenNoThreadCanBeMadeForIt() {
    var noThread = new OutOfMemoryError("unable to create native thread");
    boolean[] first = {true};
    Executor executor =
        work -> {
          if (!first[0]) {
            throw noThread;
          }
          first[0] = false;
          work.run();
        };
    CompletableFuture<String> result =
        retries(executor, (pauseMs, work) -> later.add(work)).until("step", AWAY);
    // A timer's thread swallows what its work throws.
    assertThatThrownBy(() -> later.remove().run()).isSameAs(noThread);
    assertThat(result).isCompletedExceptionally();
    assertThat(StepFailure.of(result)).containsSame(noThread);
  }

  @Test
  void stepFailsWhenItsNextTryCannotBeSetUp() {
    var noMemory = new OutOfMemoryError("Java heap space");
    // A pool's thread dies of it.
    Executor executor = work -> assertThatThrownBy(work::run).isSameAs(noMemory);
    CompletableFuture<String> result =
        retries(
                executor,
                (pauseMs, work) -> {
                  throw noMemory;
                })
            .until("step", AWAY);
    assertThat(StepFailure.of(result)).containsSame(noMemory);
  }

  private Retries retries(Executor executor, Scheduling.Timer timer) {
    return new Retries(executor, timer, new Random(1), 5_000, waits, "", () -> true);
  }
}
