package io.tidemark.connect.intake;

import io.tidemark.store.MonotonicClock;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;

/**
 * The executors, the timer and the clocks of asynchronous work, by which tests control time. Calls
 * of the registry and the catalog cannot delay the steps: those of the store and of Kafka.
 *
 * @param wall used only for times that people read, because it may be set at any moment
 * @param jitter spreads pauses; thread-safe
 */
public record Scheduling(
    Executor steps,
    Executor registry,
    Executor catalog,
    Timer timer,
    MonotonicClock monotonic,
    Clock wall,
    RandomGenerator jitter) {

  public interface Timer {

    /** Throws {@link RejectedExecutionException} if the task has stopped. */
    void runAfter(long pauseMs, Runnable work);
  }
}
