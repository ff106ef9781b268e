package io.tidemark.completeness.show;

import io.tidemark.store.RepeatingThread;
import java.time.Duration;
import java.util.Optional;

/**
 * The thread that sends events, {@code tidemark-events-NAME}. The thread continues after all
 * failures. Thread-safe.
 */
public final class EventThread {
  private final Opening opening;
  private final RepeatingThread thread;

  /** The sender. Only this thread uses it. */
  private Optional<EventSender> sender = Optional.empty();

  /** Creates a sender with its clients, whose services may be unavailable. */
  @FunctionalInterface
  public interface Opening {

    /**
     * Creates the sender.
     *
     * @throws Exception if the sender cannot be created now; the thread retries after a pause
     */
    EventSender open() throws Exception;
  }

  private EventThread(String connector, Opening opening) {
    this.opening = opening;
    this.thread =
        RepeatingThread.start(
            "tidemark-events-" + connector, "events wait; everything else continues", this::step);
  }

  /** Starts the thread, without waiting. */
  public static EventThread start(String connector, Opening opening) {
    return new EventThread(connector, opening);
  }

  /** Returns why events wait: place, problem, cause and cure. Empty if no events wait. */
  public Optional<String> problem() {
    return thread.problem();
  }

  /** Wakes the thread, because events were added to the outbox. */
  public void wake() {
    thread.wake();
  }

  /** Requests the thread to end after the file that it is sending. Does not wait. */
  public void requestStop() {
    thread.requestStop();
  }

  /**
   * Stops the thread. A send in progress is interrupted, and the next start repeats it.
   *
   * @param within the maximum time to wait for the thread's end
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
