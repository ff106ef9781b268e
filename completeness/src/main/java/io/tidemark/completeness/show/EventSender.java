package io.tidemark.completeness.show;

import io.tidemark.store.PrintableFailure;
import io.tidemark.store.PrintableText;
import io.tidemark.store.StoredFile;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the files of an outbox, oldest first, and removes them. One thread calls {@link #step}
 * repeatedly, each time after the pause that the previous call returned.
 */
public final class EventSender {
  private static final Logger LOG = LoggerFactory.getLogger(EventSender.class);

  /** Pause until an empty outbox is listed again, unless events are added before. */
  static final Duration IDLE = Duration.ofMinutes(1);

  /** Maximum number of waiting files in memory. */
  private static final int KNOWN_MOST = 1_000;

  private final EventOutbox outbox;
  private final EventTopic topic;
  private final Duration keptFor;
  private final Deque<StoredFile> waiting = new ArrayDeque<>();

  /**
   * Creates a sender. A file that cannot be sent is removed once the outbox has a file that is
   * later by {@code keptFor}, according to the store's clock.
   */
  public EventSender(EventOutbox outbox, EventTopic topic, Duration keptFor) {
    this.outbox = outbox;
    this.topic = topic;
    this.keptFor = keptFor;
  }

  /** Sends one file, and returns the pause before the next step. Call it again after a failure. */
  public Duration step() throws IOException {
    if (waiting.isEmpty()) {
      outbox.files().list().stream().limit(KNOWN_MOST).forEach(waiting::add);
    }
    Optional<StoredFile> next = Optional.ofNullable(waiting.peek());
    if (next.isEmpty()) {
      return IDLE;
    }
    try {
      outbox.send(next.get(), topic);
      LOG.debug("{}: its events are sent", next.get().path());
    } catch (IOException e) {
      long olderMs = next.get().modifiedMs() + keptFor.toMillis();
      if (outbox.files().list().stream().noneMatch(later -> later.modifiedMs() > olderMs)) {
        throw e;
      }
      LOG.error(
          "{}: these events waited for {} days and are dropped. {} The ledger's tables in Hive have the same facts for as long as they keep rows.",
          outbox.storage().location() + next.get().path(),
          keptFor.toDays(),
          PrintableText.messageOf(e),
          PrintableFailure.of(e));
    }
    outbox.storage().delete(next.get().path());
    waiting.remove();
    return Duration.ZERO;
  }
}
