package io.tidemark.connect.reckon;

import io.tidemark.connect.time.RepeatingThread;
import java.time.Duration;
import java.util.Optional;

/**
 * The thread of a reckoner, {@code tidemark-ledger-NAME}. No failure ends it. Safe for use by many
 * threads.
 */
public final class ReckonerThread {
  private static final Duration STOPPED_WITHIN = Duration.ofMillis(900);

  private final Opening opening;
  private final RepeatingThread thread;
  private volatile Optional<Reckoner> reckoner = Optional.empty();

  /** Makes a reckoner with its clients, whose services may be away. */
  @FunctionalInterface
  public interface Opening {

    /**
     * Makes the reckoner.
     *
     * @throws Exception it cannot be made now: it is tried again after a pause
     */
    Reckoner open() throws Exception;
  }

  private ReckonerThread(String connector, Opening opening) {
    this.opening = opening;
    this.thread =
        RepeatingThread.start(
            "tidemark-ledger-" + connector,
            "nothing is shown to be complete until this is over; landing goes on",
            () -> opened().cycle());
  }

  /** Starts the thread; waits for nothing. */
  public static ReckonerThread start(String connector, Opening opening) {
    return new ReckonerThread(connector, opening);
  }

  /** How the reckoner is doing. */
  public ReckonerHealth health() {
    ReckonerHealth health = reckoner.map(Reckoner::health).orElse(ReckonerHealth.NONE);
    Optional<String> failure = thread.problem();
    return failure.isPresent() ? health.with(failure) : health;
  }

  /**
   * Stops within a second. A call of a service that is on its way is interrupted; whether it took
   * effect is seen by the next reckoner.
   *
   * @return whether the thread has ended; if not, it ends when its call returns
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
