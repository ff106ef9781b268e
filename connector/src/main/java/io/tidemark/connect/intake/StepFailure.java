package io.tidemark.connect.intake;

import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The failure of an asynchronous step, without the exceptions that futures wrap around it. */
public final class StepFailure {

  private StepFailure() {}

  /** Returns the failure of a step; empty if it succeeded or is running. */
  public static Optional<Throwable> of(CompletableFuture<?> done) {
    if (!done.isCompletedExceptionally()) {
      return Optional.empty();
    }
    Throwable failure = done.handle((value, thrown) -> thrown).join();
    while ((failure instanceof CompletionException || failure instanceof UncheckedIOException)
        && failure.getCause() != null) {
      failure = failure.getCause();
    }
    return Optional.of(failure);
  }

  /** Returns the message, with the class of the exception if the message alone is not enough. */
  public static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null || failure instanceof Error ? failure.toString() : message;
  }
}
