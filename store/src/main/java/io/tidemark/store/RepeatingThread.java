package io.tidemark.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that repeats a step. It continues after all failures, including an {@link Error}. Logs
 * each failure once and retries after a second at first, a minute at most. Thread-safe.
 */
public final class RepeatingThread {
  private static final Logger LOG = LoggerFactory.getLogger(RepeatingThread.class);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final String whatWaits;
  private final Callable<Duration> step;
  private final Thread thread;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Semaphore woken = new Semaphore(0);
  private volatile Optional<String> problem = Optional.empty();

  /** A step with the object that it uses, such as a client of a service. */
  @FunctionalInterface
  public interface Step<T> {

    Duration run(T opened) throws Exception;
  }

  private RepeatingThread(String name, String whatWaits, Callable<Duration> step) {
    this.whatWaits = whatWaits;
    this.step = step;
    this.thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /**
   * Starts a thread, which calls {@code opening} first, and again after a failure; {@code
   * whatWaits} is the effect of a failure, for the log.
   */
  public static <T> RepeatingThread start(
      String name, String whatWaits, Callable<T> opening, Step<T> step) {
    List<T> opened = new ArrayList<>(1);
    RepeatingThread started =
        new RepeatingThread(
            name,
            whatWaits,
            () -> {
              if (opened.isEmpty()) {
                opened.add(opening.call());
              }
              return step.run(opened.get(0));
            });
    started.thread.start();
    return started;
  }

  /** Returns why the step fails (place, problem, cause, cure); empty if it does not fail. */
  public Optional<String> problem() {
    return problem;
  }

  /** Ends the pause, unless it follows a failure. */
  public void wake() {
    woken.release();
  }

  /** Ends the thread after its present step; returns immediately. */
  public void requestStop() {
    stop.countDown();
    woken.release();
  }

  /** Stops the thread within a time, if need be by an interrupt. Returns whether it has ended. */
  public boolean stop(Duration within) {
    requestStop();
    boolean interrupted = join(within.dividedBy(2));
    if (thread.isAlive()) {
      thread.interrupt();
      interrupted |= join(within.dividedBy(2));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  private boolean join(Duration time) {
    try {
      thread.join(time.toMillis() + 1); // 0 would wait without a limit
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private void run() {
    Duration pauseAfterFailure = FIRST_PAUSE;
    boolean failed;
    Duration pause;
    do {
      try {
        pause = step.call();
        problem.ifPresent(before -> LOG.info("{}: succeeded again", thread.getName()));
        problem = Optional.empty();
        pauseAfterFailure = FIRST_PAUSE;
        failed = false;
      } catch (Throwable e) { // If the thread ended, its work would stop unnoticed.
        pause = pauseAfterFailure;
        Duration doubled = pause.multipliedBy(2);
        pauseAfterFailure = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        failed = true;
        note(e);
      }
    } while (!stoppedWithin(pause, !failed));
  }

  private void note(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    boolean unexpected = failure instanceof RuntimeException || failure instanceof Error;
    String now = unexpected ? failure.getClass().getSimpleName() + ": " + message : message;
    if (problem.filter(now::equals).isEmpty() && !stopped()) {
      LOG.error(
          "{}: {}. {} The thread retries at least once a minute.",
          thread.getName(),
          whatWaits,
          now,
          failure);
    }
    problem = Optional.of(now);
  }

  private boolean stopped() {
    return stop.getCount() == 0;
  }

  private boolean stoppedWithin(Duration pause, boolean wakes) {
    try {
      long nanos = pause.toNanos();
      boolean unused =
          wakes
              ? woken.tryAcquire(nanos, TimeUnit.NANOSECONDS)
              : stop.await(nanos, TimeUnit.NANOSECONDS);
      woken.drainPermits();
      return stopped();
    } catch (InterruptedException e) {
      return stopped(); // Ignore an interrupt that is not from stop().
    }
  }
}
