package io.tidemark.completeness.reckon;

import io.tidemark.completeness.decide.Announced;
import io.tidemark.completeness.decide.Announcement;
import io.tidemark.completeness.ledger.AnnouncementsState;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.store.MonotonicClock;
import io.tidemark.store.PrintableFailure;
import io.tidemark.store.PrintableText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads announcements of batches beginning at the ledger's position, every five seconds. After a
 * read that failed slowly it waits for a minute. Not thread-safe.
 */
final class AnnouncementsReader {
  private static final Logger LOG = LoggerFactory.getLogger(AnnouncementsReader.class);
  private static final long READ_MS = 5_000;

  /** The time until the next read after a slow failure, which has delayed the reckoner. */
  private static final long READ_AFTER_SILENCE_MS = 60_000;

  /** A read that takes this time or longer, and then fails, is a slow failure. */
  private static final long SILENCE_MS = 1_000;

  private final Optional<AnnouncementsTopic> topic;
  private final MonotonicClock monotonic;
  private long readAtMs;
  private Optional<String> problem = Optional.empty();

  AnnouncementsReader(Optional<AnnouncementsTopic> topic, MonotonicClock monotonic) {
    this.topic = topic;
    this.monotonic = monotonic;
  }

  Optional<String> problem() {
    return problem;
  }

  /** Returns the announcements since the last entry; empty if there are none, or it is not time. */
  Optional<Announced> look(LedgerState state) {
    long nowMs = monotonic.millis();
    if (topic.isEmpty() || nowMs < readAtMs) {
      return Optional.empty();
    }
    readAtMs = nowMs + READ_MS;
    AnnouncementsState known =
        state.announcements().orElseGet(() -> AnnouncementsState.begin(Optional.empty()));
    try {
      Optional<AnnouncementsTopic.Read> read = topic.get().read(known.topicId(), known.position());
      problem = Optional.empty();
      if (read.isEmpty()) {
        return Optional.empty();
      }
      read.get().warnings().forEach(LOG::warn);
      // Read the next records immediately: a backlog is read in several steps.
      readAtMs = read.get().records().isEmpty() ? readAtMs : nowMs;
      return Optional.of(
          new Announced(
              read.get().topicId(), read.get().position(), announcements(read.get().records())));
    } catch (IOException e) {
      if (problem.isEmpty()) {
        LOG.warn(
            "Announcements of batches cannot be read, so no announced batch becomes complete: {} The read is retried at least every minute.",
            PrintableText.messageOf(e),
            PrintableFailure.of(e));
      }
      long failedMs = monotonic.millis();
      readAtMs = failedMs + (failedMs - nowMs < SILENCE_MS ? READ_MS : READ_AFTER_SILENCE_MS);
      problem =
          Optional.of("Announcements of batches cannot be read: " + PrintableText.messageOf(e));
      return Optional.empty();
    }
  }

  private static List<Announcement> announcements(List<AnnouncementsTopic.Sent> records) {
    List<Announcement> announcements = new ArrayList<>();
    for (AnnouncementsTopic.Sent sent : records) {
      try {
        announcements.add(AnnouncementFormat.read(sent));
      } catch (AnnouncementFormat.MalformedException e) {
        LOG.warn(
            "{}: this record is not a valid announcement of a batch, and is ignored: {}. Correct its producer to send the batch's id as the key and {\"version\":1,\"batch\":ID,\"records\":{TOPIC:COUNT}} as the value, and send the announcement again.",
            sent.place(),
            e.getMessage());
      }
    }
    return announcements;
  }
}
