package io.tidemark.completeness.reckon;

import io.tidemark.store.RepeatingThread;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** The thread of a reckoner, {@code tidemark-ledger-NAME}. Thread-safe. */
public final class ReckonerThread {
  private static final Duration STOPPED_WITHIN = Duration.ofMillis(900);

  private final Callable<Reckoner> opening;
  private final RepeatingThread thread;
  private volatile Optional<Reckoner> reckoner = Optional.empty();

  private ReckonerThread(
      String connector, Callable<Reckoner> opening, Consumer<ReckonerHealth> afterCycle) {
    this.opening = opening;
    this.thread =
        RepeatingThread.start(
            "tidemark-ledger-" + connector,
            "nothing is shown to be complete until this is resolved; records still land",
            () -> {
              Reckoner open = opened();
              Duration pause = open.cycle();
              afterCycle.accept(open.health());
              return pause;
            });
  }

  /**
   * Starts the thread, and returns immediately.
   *
   * @param opening creates the reckoner, in the thread; after a failure it is called again
   * @param afterCycle called by the thread after each successful cycle, with the reckoner's health
   */
  public static ReckonerThread start(
      String connector, Callable<Reckoner> opening, Consumer<ReckonerHealth> afterCycle) {
    return new ReckonerThread(connector, opening, afterCycle);
  }

  public ReckonerHealth health() {
    ReckonerHealth health = reckoner.map(Reckoner::health).orElse(ReckonerHealth.NONE);
    Optional<String> failure = thread.problem();
    return failure.isPresent() ? health.with(failure) : health;
  }

  /**
   * Stops the thread within a second. A running call of a service is interrupted; the next reckoner
   * reads whether the call took effect.
   *
   * @return whether the thread has ended; if not, the thread ends when its call returns
   */
  public boolean stop() {
    return thread.stop(STOPPED_WITHIN);
  }

  private Reckoner opened() throws Exception {
    Reckoner open = reckoner.isPresent() ? reckoner.get() : opening.call();
    reckoner = Optional.of(open);
    return open;
  }
}
