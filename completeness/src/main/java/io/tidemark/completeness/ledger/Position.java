package io.tidemark.completeness.ledger;

import io.tidemark.store.batch.RecordCounts;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The ledger's position in the log of one topic-partition.
 *
 * @param number the number of the last entry that was read
 * @param attempt the identity of that entry, also if a checkpoint replaced it
 * @param clusterId the Kafka cluster of the entry's topic
 * @param topicId the id of the entry's topic. If a topic is recreated, the logs of its
 *     topic-partitions change to the new id at different times
 * @param next the log's next offset after the entry, or -1 if the offset is unknown
 * @param counts all offsets of the generation up to {@code next}, by class
 * @param former the log's end in the former topic of the same name, or with the same topic id the
 *     offset at which the log continues after another sink; empty for others
 * @param newest the largest plausible event time that landed
 */
public record Position(
    long number,
    UUID attempt,
    String clusterId,
    String topicId,
    long next,
    RecordCounts counts,
    Optional<Former> former,
    Optional<Instant> newest) {

  /** Returns whether records before the log's first offset are in another sink's files. */
  public boolean adopted() {
    return former.filter(of -> of.topicId().equals(topicId)).isPresent();
  }

  /** The former topic of this name, and the log's next offset at its end; -1 if unknown. */
  public record Former(String topicId, long next) {}

  public Position {
    if (number < 1 || next < -1) {
      throw new IllegalArgumentException(
          "not a position in a log: entry %d, next offset %d".formatted(number, next));
    }
  }
}
