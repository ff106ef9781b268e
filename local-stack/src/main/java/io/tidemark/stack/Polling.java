package io.tidemark.stack;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Polls for a state, with a deadline. */
public final class Polling {

  private static final Duration INTERVAL = Duration.ofMillis(100);

  private Polling() {}

  /**
   * Polls until nothing is missing.
   *
   * @param waitedFor the state that is waited for, as the subject of the error
   * @param missing returns what is still missing, in words; empty when the wait is over
   * @throws ServerFailedException if the deadline has passed, with the last missing thing, or if
   *     the thread was interrupted
   */
  public static void until(
      String waitedFor, Duration deadline, Supplier<Optional<String>> missing) {
    long end = System.nanoTime() + deadline.toNanos();
    for (Optional<String> last = missing.get(); last.isPresent(); last = missing.get()) {
      if (System.nanoTime() > end) {
        throw new ServerFailedException(
            "%s: did not happen within %d s: %s"
                .formatted(waitedFor, deadline.toSeconds(), last.get()));
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
