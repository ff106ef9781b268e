package io.tidemark.completeness.reckon;

import io.tidemark.store.RepeatingThread;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The thread of a reckoner, {@code tidemark-ledger-NAME}. The thread continues after all failures.
 * Thread-safe.
 */
public final class ReckonerThread {
  private static final Duration STOPPED_WITHIN = Duration.ofMillis(900);

  private final Opening opening;
  private final RepeatingThread thread;
  private volatile Optional<Reckoner> reckoner = Optional.empty();

  /** Creates a reckoner with its clients, even if the services are unavailable. */
  @FunctionalInterface
  public interface Opening {

    /**
     * Creates the reckoner.
     *
     * @throws Exception the reckoner cannot be created now. The thread retries after a pause
     */
    Reckoner open() throws Exception;
  }

  private ReckonerThread(String connector, Opening opening, Consumer<ReckonerHealth> afterCycle) {
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
   * @param afterCycle called by the thread after each successful cycle, with the reckoner's health
   */
  public static ReckonerThread start(
      String connector, Opening opening, Consumer<ReckonerHealth> afterCycle) {
    return new ReckonerThread(connector, opening, afterCycle);
  }

  /** Returns the reckoner's health. */
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
    Reckoner open = reckoner.isPresent() ? reckoner.get() : opening.open();
    reckoner = Optional.of(open);
    return open;
  }
}
