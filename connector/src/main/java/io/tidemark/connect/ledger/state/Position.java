package io.tidemark.connect.ledger.state;

import io.tidemark.connect.batch.RecordCounts;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * How far the ledger has taken the entries of one topic-partition's log.
 *
 * @param number the last entry that was taken
 * @param attempt the identity of that entry; empty where a checkpoint stood for it
 * @param topicId the topic that it is of: a topic-partition of a topic that was made again may be
 *     taken later than its neighbours
 * @param next the log's next offset after it, or -1 where it is not known
 * @param counts all offsets of the generation up to {@code next}, by class
 * @param former where the log stood when it went over to this topic; empty in the first one
 * @param newest the largest event time that landed, where it is believable
 */
public record Position(
    long number,
    Optional<UUID> attempt,
    String topicId,
    long next,
    RecordCounts counts,
    Optional<Former> former,
    Optional<Instant> newest) {

  /**
   * The topic before this one, under the same name.
   *
   * @param next the log's next offset when the topic was made again, or -1
   */
  public record Former(String topicId, long next) {}

  public Position {
    if (number < 1 || next < -1) {
      throw new IllegalArgumentException(
          "not a position in a log: entry %d, next offset %d".formatted(number, next));
    }
  }
}
