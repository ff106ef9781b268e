package io.tidemark.connect.pipeline;

import io.tidemark.connect.table.CatalogUnavailableException;
import io.tidemark.connect.text.PrintableFailure;
import io.tidemark.connect.text.PrintableText;
import io.tidemark.registry.RegistryUnavailableException;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits outages out: runs a step again and again, with growing pauses, until it succeeds, fails for
 * a reason that waiting does not cure, or is not wanted any more. No thread waits in between. Safe
 * for use by many threads.
 */
final class Retries {
  private static final Logger LOG = LoggerFactory.getLogger(Retries.class);
  private static final long FIRST_BACKOFF_MS = 100;

  /** The failure that is told as a warning; one before it may be a moment's. */
  private static final int WARNED = 3;

  private final Executor executor;
  private final Scheduling.Timer timer;
  private final RandomGenerator jitter;
  private final long maxBackoffMs;

  /** Pauses double from 100 ms up to {@code maxBackoffMs}, with jitter. */
  Retries(Executor executor, Scheduling.Timer timer, RandomGenerator jitter, long maxBackoffMs) {
    this.executor = executor;
    this.timer = timer;
    this.jitter = jitter;
    this.maxBackoffMs = maxBackoffMs;
  }

  /**
   * A call of a service; {@link IOException} and the exceptions of an absent registry or catalog
   * mean: try again.
   */
  interface Step<T> {
    T run() throws Exception;
  }

  /**
   * Runs a step until it succeeds.
   *
   * @param what the step, for the log. Example: {@code "orders-7: commit"}
   * @param wanted asked before each try; once false the result is a {@link CancellationException}
   */
  <T> CompletableFuture<T> until(String what, BooleanSupplier wanted, Step<T> step) {
    CompletableFuture<T> result = new CompletableFuture<>();
    attempt(what, wanted, step, result, 1);
    return result;
  }

  /** A {@link Step} without a result. */
  interface Action {
    void run() throws Exception;
  }

  /** As {@link #until}, for a step without a result. */
  CompletableFuture<Void> untilDone(String what, BooleanSupplier wanted, Action action) {
    CompletableFuture<Boolean> result =
        until(
            what,
            wanted,
            () -> {
              action.run();
              return true;
            });
    return result.thenAccept(done -> {});
  }

  private <T> void attempt(
      String what, BooleanSupplier wanted, Step<T> step, CompletableFuture<T> result, int number) {
    try {
      executor.execute(() -> run(what, wanted, step, result, number));
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new CancellationException(what + ": the task has stopped"));
    } catch (Error e) { // such as no memory for a thread: nobody else would hear of it
      result.completeExceptionally(e);
      throw e;
    }
  }

  private <T> void run(
      String what, BooleanSupplier wanted, Step<T> step, CompletableFuture<T> result, int number) {
    if (!wanted.getAsBoolean()) {
      result.completeExceptionally(new CancellationException(what + ": not wanted any more"));
      return;
    }
    try {
      try {
        T done = step.run();
        if (number > WARNED) {
          LOG.info("{}: done, after {} failures", PrintableText.line(what), number - 1);
        }
        result.complete(done);
      } catch (IOException | RegistryUnavailableException | CatalogUnavailableException e) {
        pause(what, wanted, step, result, number, e);
      }
    } catch (Exception e) { // whatever else it is, it is the result
      result.completeExceptionally(e);
    } catch (Error e) {
      result.completeExceptionally(e);
      throw e;
    }
  }

  private <T> void pause(
      String what,
      BooleanSupplier wanted,
      Step<T> step,
      CompletableFuture<T> result,
      int number,
      Exception failure) {
    long ceiling = Math.min(maxBackoffMs, FIRST_BACKOFF_MS << Math.min(number - 1, 20));
    long pauseMs = ceiling / 2 + jitter.nextLong(ceiling / 2 + 1);
    tell(what, number, pauseMs, PrintableFailure.of(failure));
    try {
      timer.runAfter(pauseMs, () -> attempt(what, wanted, step, result, number + 1));
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new CancellationException(what + ": the task has stopped"));
    }
  }

  /** An outage may last for days, with a step of each topic-partition waiting. */
  private static void tell(String step, int number, long pauseMs, Exception failure) {
    String what = PrintableText.line(step); // it may name a schema id that a record has
    if (number == WARNED) {
      LOG.warn(
          "{}: failed {} times, trying again in {} ms",
          what,
          number,
          pauseMs,
          PrintableFailure.of(failure));
    } else if (number < WARNED) {
      LOG.info("{}: {}; trying again in {} ms", what, PrintableText.of(failure), pauseMs);
    } else if (number % 20 == 0) {
      LOG.warn("{}: failed {} times: {}", what, number, PrintableText.of(failure));
    } else {
      LOG.debug("{}: {}; trying again in {} ms", what, PrintableText.of(failure), pauseMs);
    }
  }
}
