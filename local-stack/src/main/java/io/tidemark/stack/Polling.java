package io.tidemark.stack;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Waiting, with a deadline, for what a service does not tell on its own. */
public final class Polling {

  private static final Duration INTERVAL = Duration.ofMillis(100);

  private Polling() {}

  /**
   * Looks again and again until nothing is missing.
   *
   * @param waitedFor what is waited for, the subject of the error
   * @param missing says in words what is still missing; empty when the wait is over
   * @throws ServerFailedException when the deadline has passed, with what was missing last, or when
   *     the thread was interrupted
   */
  public static void until(
      String waitedFor, Duration deadline, Supplier<Optional<String>> missing) {
    long end = System.nanoTime() + deadline.toNanos();
    for (Optional<String> last = missing.get(); last.isPresent(); last = missing.get()) {
      if (System.nanoTime() > end) {
        throw new ServerFailedException(
            "%s: not within %d s: %s".formatted(waitedFor, deadline.toSeconds(), last.get()));
      }
      pause(waitedFor);
    }
  }

  static void pause(String waitedFor) {
    try {
      Thread.sleep(INTERVAL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerFailedException(waitedFor + ": interrupted while waiting", e);
    }
  }
}
