package io.tidemark.connect.reckon;

import io.tidemark.connect.ledger.Announced;
import io.tidemark.connect.ledger.Announcement;
import io.tidemark.connect.ledger.state.AnnouncementsState;
import io.tidemark.connect.ledger.state.LedgerState;
import io.tidemark.connect.time.MonotonicClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads announcements of batches behind the position that the ledger has, every five seconds; after
 * a failure that took long, a minute later. Not thread-safe.
 */
final class AnnouncementsReader {
  private static final Logger LOG = LoggerFactory.getLogger(AnnouncementsReader.class);
  private static final long LOOK_MS = 5_000;

  /** A failed read that has waited for Kafka has held up the reckoner as long. */
  private static final long LOOK_AFTER_SILENCE_MS = 60_000;

  /** What fails sooner was refused, and costs no more than a look that finds nothing. */
  private static final long SILENCE_MS = 1_000;

  private final Optional<AnnouncementsTopic> topic;
  private final MonotonicClock monotonic;
  private long lookAtMs;
  private Optional<String> problem = Optional.empty();

  /**
   * A reader.
   *
   * @param topic empty where no batches are announced
   */
  AnnouncementsReader(Optional<AnnouncementsTopic> topic, MonotonicClock monotonic) {
    this.topic = topic;
    this.monotonic = monotonic;
  }

  /** Why the topic could not be read when it was last looked at. */
  Optional<String> problem() {
    return problem;
  }

  /**
   * What is new since the ledger's last entry; empty where nothing is, or it is not the time to
   * look.
   */
  Optional<Announced> look(LedgerState state) {
    long nowMs = monotonic.millis();
    if (topic.isEmpty() || nowMs < lookAtMs) {
      return Optional.empty();
    }
    lookAtMs = nowMs + LOOK_MS;
    AnnouncementsState known =
        state.announcements().orElseGet(() -> AnnouncementsState.begin(Optional.empty()));
    try {
      Optional<AnnouncementsTopic.Read> read = topic.get().read(known.topicId(), known.position());
      problem = Optional.empty();
      if (read.isEmpty()) {
        return Optional.empty();
      }
      read.get().warnings().forEach(LOG::warn);
      // The next records at once: a backlog is read in as many steps as it needs.
      lookAtMs = read.get().records().isEmpty() ? lookAtMs : nowMs;
      return Optional.of(
          new Announced(
              read.get().topicId(), read.get().position(), announcements(read.get().records())));
    } catch (IOException e) {
      if (problem.isEmpty()) {
        LOG.warn(
            "Announcements of batches are not read, so no announced batch becomes complete: {} They are looked for again each minute at least.",
            e.getMessage(),
            e);
      }
      long failedMs = monotonic.millis();
      lookAtMs = failedMs + (failedMs - nowMs < SILENCE_MS ? LOOK_MS : LOOK_AFTER_SILENCE_MS);
      problem = Optional.of("Announcements of batches are not read: " + e.getMessage());
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
            "{}: this record announces no batch, and is left out: {}. Correct its producer, which sends the batch's id as the key and {\"version\":1,\"batch\":ID,\"records\":{TOPIC:COUNT}} as the value, and send it again.",
            sent.place(),
            e.getMessage());
      }
    }
    return announcements;
  }
}
