package io.tidemark.connect.intake;

import io.tidemark.connect.health.Waits;
import io.tidemark.registry.RegistryUnavailableException;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.PrintableText;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries a step, with growing pauses, until it succeeds, fails permanently, or is cancelled
 * because its session has ended. No thread waits during a pause. {@link Waits} contains the waiting
 * steps, for status and metrics. Thread-safe.
 *
 * @param maxBackoffMs the longest pause; pauses double from 100 ms, with jitter
 * @param waiter the topic-partition or the topic of the steps; empty for steps of the task
 */
public record Retries(
    Executor executor,
    Scheduling.Timer timer,
    RandomGenerator jitter,
    long maxBackoffMs,
    Waits waits,
    String waiter,
    BooleanSupplier wanted) {
  private static final Logger LOG = LoggerFactory.getLogger(Retries.class);
  private static final long FIRST_BACKOFF_MS = 100;

  /** Returns retries that end with a {@link CancellationException} when not {@code wanted}. */
  public Retries of(Object waiter, BooleanSupplier wanted) {
    return new Retries(executor, timer, jitter, maxBackoffMs, waits, waiter.toString(), wanted);
  }

  /** A call, retried after an {@link IOException} or if registry or catalog are unavailable. */
  public interface Step<T> {
    T run() throws Exception;
  }

  /** Runs a step until it succeeds; {@code doing} names it in logs. Example: {@code "commit"}. */
  public <T> CompletableFuture<T> until(String doing, Step<T> step) {
    CompletableFuture<T> result = new CompletableFuture<>();
    new Run<>(doing, step, result).attempt();
    return result;
  }

  /** Completes after a pause, which does not count as an outage; fails if the task has stopped. */
  public CompletableFuture<Void> after(long pauseMs) {
    CompletableFuture<Void> paused = new CompletableFuture<>();
    if (pauseMs <= 0) {
      paused.complete(null);
      return paused;
    }
    try {
      timer.runAfter(pauseMs, () -> paused.complete(null));
    } catch (RejectedExecutionException e) {
      paused.completeExceptionally(new CancellationException("the task has stopped"));
    }
    return paused;
  }

  public interface Action {
    void run() throws Exception;
  }

  /** Runs a step without a result until it succeeds; see {@link #until}. */
  public CompletableFuture<Void> untilDone(String doing, Action action) {
    CompletableFuture<Boolean> result =
        until(
            doing,
            () -> {
              action.run();
              return true;
            });
    return result.thenAccept(done -> {});
  }

  private final class Run<T> {
    private final String doing;
    private final Step<T> step;
    private final CompletableFuture<T> result;
    private int failures;

    Run(String doing, Step<T> step, CompletableFuture<T> result) {
      this.doing = doing;
      this.step = step;
      this.result = result;
    }

    void attempt() {
      try {
        executor.execute(this::run);
      } catch (RejectedExecutionException e) {
        fail(new CancellationException(this + ": the task has stopped"));
      } catch (Error e) { // such as no memory for a thread; nothing else would report it
        fail(e);
        throw e;
      }
    }

    private void run() {
      if (!wanted.getAsBoolean()) {
        fail(new CancellationException(this + ": no longer wanted"));
        return;
      }
      Instant begun = waits.now();
      try {
        try {
          T done = step.run();
          if (failures > 0) {
            LOG.debug("{}: done, after {} failures", this, failures);
          }
          waits.over(this);
          result.complete(done);
        } catch (IOException | RegistryUnavailableException e) {
          pause(e, begun);
        }
      } catch (Exception e) { // every other exception is the result
        fail(e);
      } catch (Error e) {
        fail(e);
        throw e;
      }
    }

    private void fail(Throwable failure) {
      waits.over(this);
      result.completeExceptionally(failure);
    }

    private void pause(Exception failure, Instant begun) {
      failures++;
      waits.failed(this, waiter, failure, begun);
      long ceiling = Math.min(maxBackoffMs, FIRST_BACKOFF_MS << Math.min(failures - 1, 20));
      long pauseMs = ceiling / 2 + jitter.nextLong(ceiling / 2 + 1);
      LOG.debug(
          "{}: failed {} times, retrying in {} ms",
          this,
          failures,
          pauseMs,
          PrintableFailure.of(failure));
      try {
        timer.runAfter(pauseMs, this::attempt);
      } catch (RejectedExecutionException e) {
        fail(new CancellationException(this + ": the task has stopped"));
      }
    }

    /** Escaped, because it may contain a schema id from a record. */
    @Override
    public String toString() {
      return PrintableText.line(waiter.isEmpty() ? doing : waiter + ": " + doing);
    }
  }
}
