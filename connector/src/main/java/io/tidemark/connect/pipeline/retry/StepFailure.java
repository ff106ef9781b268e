package io.tidemark.connect.pipeline.retry;

import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Why a step that went on behind has failed: its cause, out of what futures wrap around it. */
public final class StepFailure {

  private StepFailure() {}

  /** The failure of a step that is done; empty when it succeeded. */
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

  /** What to say of a failure: its message, and its class where that alone says too little. */
  public static String reason(Throwable failure) {
    String message = failure.getMessage();
    return message == null || failure instanceof Error ? failure.toString() : message;
  }
}
