package io.tidemark.connect.announce;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that sends events, {@code tidemark-events-NAME}. No failure ends it: each is logged
 * once and tried again, after a second at first and after a minute at most. Safe for use by many
 * threads.
 */
public final class EventThread {
  private static final Logger LOG = LoggerFactory.getLogger(EventThread.class);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Opening opening;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock. */
  private boolean stopped;

  /** Guarded by the lock. */
  private boolean woken;

  private volatile Optional<String> problem = Optional.empty();

  /** Makes a sender with its clients, whose services may be away. */
  @FunctionalInterface
  public interface Opening {

    /**
     * Makes the sender.
     *
     * @throws Exception it cannot be made now: it is tried again after a pause
     */
    EventSender open() throws Exception;
  }

  private EventThread(String connector, Opening opening) {
    this.opening = opening;
    this.thread = new Thread(this::run, "tidemark-events-" + connector);
    thread.setDaemon(true);
  }

  /** Starts the thread; waits for nothing. */
  public static EventThread start(String connector, Opening opening) {
    EventThread started = new EventThread(connector, opening);
    started.thread.start();
    return started;
  }

  /** Why events wait: place, problem, cause, cure. */
  public Optional<String> problem() {
    return problem;
  }

  /** Something was put into the outbox. */
  public void wake() {
    lock.lock();
    try {
      woken = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends it after what it is sending; waits for nothing. */
  public void requestStop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops. A call that is on its way is interrupted; what it sent is sent again by the next one.
   *
   * @param within how long to wait for the thread's end
   */
  public void stop(Duration within) {
    requestStop();
    try {
      thread.join(within.dividedBy(2).toMillis() + 1);
      thread.interrupt();
      thread.join(within.dividedBy(2).toMillis() + 1);
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    Duration pauseAfterFailure = FIRST_PAUSE;
    Optional<EventSender> sender = Optional.empty();
    boolean failed;
    Duration pause;
    do {
      try {
        if (sender.isEmpty()) {
          sender = Optional.of(opening.open());
        }
        pause = sender.get().step();
        problem.ifPresent(before -> LOG.info("{}: goes on", thread.getName()));
        problem = Optional.empty();
        pauseAfterFailure = FIRST_PAUSE;
        failed = false;
      } catch (Exception e) {
        pause = pauseAfterFailure;
        Duration doubled = pause.multipliedBy(2);
        pauseAfterFailure = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        failed = true;
        note(e);
      }
    } while (!stoppedWithin(pause, !failed));
  }

  private void note(Exception failure) {
    String message = String.valueOf(failure.getMessage());
    String now =
        failure instanceof RuntimeException
            ? failure.getClass().getSimpleName() + ": " + message
            : message;
    if (problem.filter(now::equals).isEmpty() && !isStopped()) {
      LOG.error(
          "{}: events wait; all else goes on. {} It is tried again, each minute at least.",
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

  /**
   * Waits.
   *
   * @param wakes whether {@link #wake} ends it; not after a failure
   */
  private boolean stoppedWithin(Duration pause, boolean wakes) {
    lock.lock();
    try {
      long nanos = pause.toNanos();
      while (!stopped && nanos > 0 && !(wakes && woken)) {
        nanos = changed.awaitNanos(nanos);
      }
      woken = false;
      return stopped;
    } catch (InterruptedException e) {
      return true;
    } finally {
      lock.unlock();
    }
  }
}
