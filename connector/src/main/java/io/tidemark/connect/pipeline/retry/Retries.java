package io.tidemark.connect.pipeline.retry;

import io.tidemark.connect.health.Waits;
import io.tidemark.connect.pipeline.setting.Scheduling;
import io.tidemark.connect.table.CatalogUnavailableException;
import io.tidemark.connect.text.PrintableFailure;
import io.tidemark.connect.text.PrintableText;
import io.tidemark.registry.RegistryUnavailableException;
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
 * Waits outages out: runs a step again and again, with growing pauses, until it succeeds, fails for
 * a reason that waiting does not cure, or is not wanted any more. No thread waits in between. What
 * is waited for meanwhile is in {@link Waits}, from which people are told. Safe for use by many
 * threads.
 */
public final class Retries {
  private static final Logger LOG = LoggerFactory.getLogger(Retries.class);
  private static final long FIRST_BACKOFF_MS = 100;

  private final Executor executor;
  private final Scheduling.Timer timer;
  private final RandomGenerator jitter;
  private final long maxBackoffMs;
  private final Waits waits;

  /** Pauses double from 100 ms up to {@code maxBackoffMs}, with jitter. */
  public Retries(
      Executor executor,
      Scheduling.Timer timer,
      RandomGenerator jitter,
      long maxBackoffMs,
      Waits waits) {
    this.executor = executor;
    this.timer = timer;
    this.jitter = jitter;
    this.maxBackoffMs = maxBackoffMs;
    this.waits = waits;
  }

  /**
   * A call of a service; {@link IOException} and the exceptions of an absent registry or catalog
   * mean: try again.
   */
  public interface Step<T> {
    T run() throws Exception;
  }

  /**
   * Runs a step until it succeeds.
   *
   * @param waiter the topic-partition or the topic whose step it is; empty for the task's. Example:
   *     {@code "orders-7"}
   * @param doing the step, for the log. Example: {@code "commit"}
   * @param wanted asked before each try; once false the result is a {@link CancellationException}
   */
  public <T> CompletableFuture<T> until(
      String waiter, String doing, BooleanSupplier wanted, Step<T> step) {
    CompletableFuture<T> result = new CompletableFuture<>();
    new Run<>(waiter, doing, wanted, step, result).attempt();
    return result;
  }

  /** Is done after a pause, which is no outage; fails when the task has stopped. */
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

  /** A {@link Step} without a result. */
  public interface Action {
    void run() throws Exception;
  }

  /** As {@link #until}, for a step without a result. */
  public CompletableFuture<Void> untilDone(
      String waiter, String doing, BooleanSupplier wanted, Action action) {
    CompletableFuture<Boolean> result =
        until(
            waiter,
            doing,
            wanted,
            () -> {
              action.run();
              return true;
            });
    return result.thenAccept(done -> {});
  }

  /** One step, from its first try to its last. Used by one thread after another. */
  private final class Run<T> {
    private final String waiter;
    private final String doing;
    private final BooleanSupplier wanted;
    private final Step<T> step;
    private final CompletableFuture<T> result;
    private int failures;

    Run(
        String waiter,
        String doing,
        BooleanSupplier wanted,
        Step<T> step,
        CompletableFuture<T> result) {
      this.waiter = waiter;
      this.doing = doing;
      this.wanted = wanted;
      this.step = step;
      this.result = result;
    }

    void attempt() {
      try {
        executor.execute(this::run);
      } catch (RejectedExecutionException e) {
        fail(new CancellationException(this + ": the task has stopped"));
      } catch (Error e) { // such as no memory for a thread: nobody else would hear of it
        fail(e);
        throw e;
      }
    }

    private void run() {
      if (!wanted.getAsBoolean()) {
        fail(new CancellationException(this + ": not wanted any more"));
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
        } catch (IOException | RegistryUnavailableException | CatalogUnavailableException e) {
          pause(e, begun);
        }
      } catch (Exception e) { // whatever else it is, it is the result
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
          "{}: failed {} times, trying again in {} ms",
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

    /** It may name a schema id that a record has. */
    @Override
    public String toString() {
      return PrintableText.line(waiter.isEmpty() ? doing : waiter + ": " + doing);
    }
  }
}
