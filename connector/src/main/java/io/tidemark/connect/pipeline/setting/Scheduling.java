package io.tidemark.connect.pipeline.setting;

import io.tidemark.connect.time.MonotonicClock;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;

/**
 * Where and when the work behind the task's thread is done; a test gives its own, and with it its
 * own time.
 *
 * @param steps runs what waits for the store and for Kafka: claims, commits, publishing
 * @param registry runs what waits for the schema registry, apart, so that one that hangs holds up
 *     no commit
 * @param catalog runs what waits for the catalog, apart for the same reason
 * @param timer runs work after a pause
 * @param monotonic decides when an interval, a pause or a deadline is over
 * @param wall says what time it is, for people only: it may be set at any moment
 * @param jitter spreads pauses; safe for use by many threads
 */
public record Scheduling(
    Executor steps,
    Executor registry,
    Executor catalog,
    Timer timer,
    MonotonicClock monotonic,
    Clock wall,
    RandomGenerator jitter) {

  /** Runs work later. */
  public interface Timer {

    /**
     * Runs work after a pause in milliseconds.
     *
     * @throws RejectedExecutionException the task has stopped
     */
    void runAfter(long pauseMs, Runnable work);
  }
}
