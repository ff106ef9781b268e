package io.tidemark.connect.announce;

import io.tidemark.connect.time.RepeatingThread;
import java.time.Duration;
import java.util.Optional;

/**
 * The thread that sends events, {@code tidemark-events-NAME}. No failure ends it. Safe for use by
 * many threads.
 */
public final class EventThread {
  private final Opening opening;
  private final RepeatingThread thread;

  /** Used by the thread alone. */
  private Optional<EventSender> sender = Optional.empty();

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
    this.thread =
        RepeatingThread.start(
            "tidemark-events-" + connector, "events wait; all else goes on", this::step);
  }

  /** Starts the thread; waits for nothing. */
  public static EventThread start(String connector, Opening opening) {
    return new EventThread(connector, opening);
  }

  /** Why events wait: place, problem, cause, cure. */
  public Optional<String> problem() {
    return thread.problem();
  }

  /** Something was put into the outbox. */
  public void wake() {
    thread.wake();
  }

  /** Ends it after what it is sending; waits for nothing. */
  public void requestStop() {
    thread.requestStop();
  }

  /**
   * Stops. A call that is on its way is interrupted; what it sent is sent again by the next one.
   *
   * @param within how long to wait for the thread's end
   */
  public void stop(Duration within) {
    thread.stop(within);
  }

  private Duration step() throws Exception {
    if (sender.isEmpty()) {
      sender = Optional.of(opening.open());
    }
    return sender.get().step();
  }
}
