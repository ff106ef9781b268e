package io.tidemark.connect.reckon;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a reckoner, {@code tidemark-ledger-NAME}. No failure ends it: each is logged once
 * and tried again, after a second at first and after a minute at most. Safe for use by many
 * threads.
 */
public final class ReckonerThread {
  private static final Logger LOG = LoggerFactory.getLogger(ReckonerThread.class);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Duration STOPPED_WITHIN = Duration.ofMillis(900);

  private final Opening opening;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stopRequested = lock.newCondition();

  /** Guarded by the lock. */
  private boolean stopped;

  private volatile Optional<Reckoner> reckoner = Optional.empty();
  private volatile Optional<String> problem = Optional.empty();

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
    this.thread = new Thread(this::run, "tidemark-ledger-" + connector);
    thread.setDaemon(true);
  }

  /** Starts the thread; waits for nothing. */
  public static ReckonerThread start(String connector, Opening opening) {
    ReckonerThread started = new ReckonerThread(connector, opening);
    started.thread.start();
    return started;
  }

  /** How the reckoner is doing. */
  public ReckonerHealth health() {
    ReckonerHealth health = reckoner.map(Reckoner::health).orElse(ReckonerHealth.NONE);
    Optional<String> failure = problem;
    return failure.isPresent() ? health.with(failure) : health;
  }

  /**
   * Stops within a second. A call of a service that is on its way is interrupted; whether it took
   * effect is seen by the next reckoner.
   *
   * @return whether the thread has ended; if not, it ends when its call returns
   */
  public boolean stop() {
    lock.lock();
    try {
      stopped = true;
      stopRequested.signalAll();
    } finally {
      lock.unlock();
    }
    boolean interrupted = join(STOPPED_WITHIN.dividedBy(2));
    if (thread.isAlive()) {
      thread.interrupt();
      interrupted |= join(STOPPED_WITHIN.dividedBy(2));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  private boolean join(Duration time) {
    try {
      thread.join(time.toMillis());
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void run() {
    Duration pauseAfterFailure = FIRST_PAUSE;
    while (true) {
      Duration pause;
      try {
        pause = opened().cycle();
        problem.ifPresent(before -> LOG.info("{}: goes on", thread.getName()));
        problem = Optional.empty();
        pauseAfterFailure = FIRST_PAUSE;
      } catch (Exception e) {
        pause = pauseAfterFailure;
        pauseAfterFailure = min(pauseAfterFailure.multipliedBy(2), LONGEST_PAUSE);
        note(e);
      }
      if (stoppedWithin(pause)) {
        return;
      }
    }
  }

  private Reckoner opened() throws Exception {
    if (reckoner.isEmpty()) {
      reckoner = Optional.of(opening.open());
    }
    return reckoner.get();
  }

  private void note(Exception failure) {
    String message = String.valueOf(failure.getMessage());
    String now =
        failure instanceof RuntimeException
            ? failure.getClass().getSimpleName() + ": " + message
            : message;
    if (problem.filter(now::equals).isEmpty() && !isStopped()) {
      LOG.error(
          "{}: nothing is shown to be complete until this is over; landing goes on. {} It is tried again, each minute at least.",
          thread.getName(),
          now,
          failure);
    }
    problem = Optional.of(now);
  }

  private boolean isStopped() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private boolean stoppedWithin(Duration pause) {
    lock.lock();
    try {
      long nanos = pause.toNanos();
      while (!stopped && nanos > 0) {
        nanos = stopRequested.awaitNanos(nanos);
      }
      return stopped;
    } catch (InterruptedException e) {
      return true;
    } finally {
      lock.unlock();
    }
  }
}
