package io.tidemark.connect.ledger.entry;

import io.tidemark.connect.batch.RecordCounts;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Where the ledger stands with a topic.
 *
 * @param topicId Kafka's topic id in the newest snapshot; empty before the first one
 * @param firstTopicPartitions how many topic-partitions the first snapshot of this id named
 * @param topicPartitions the most that a snapshot of this id named
 * @param through everything up to here is complete, by the newest covered snapshot
 * @param askedAt when that snapshot was taken
 * @param counts all offsets that were taken, by class
 * @param countsBefore those of them that were taken when {@code through} last moved
 * @param partialBefore sums of Hive partitions that begin before are not whole: the ledger has not
 *     seen all of their files
 * @param held why the newest snapshot is not covered; empty where it is
 * @param at the positions by topic-partition: in a checkpoint all, else those that the entry
 *     changed
 */
public record TopicState(
    String topicId,
    int firstTopicPartitions,
    int topicPartitions,
    Optional<Instant> through,
    Optional<Instant> askedAt,
    RecordCounts counts,
    RecordCounts countsBefore,
    Optional<Instant> partialBefore,
    Optional<Hold> held,
    SortedMap<Integer, Position> at) {

  public TopicState {
    at = Sorted.copyOf(at);
    if (firstTopicPartitions < 0
        || topicPartitions < firstTopicPartitions
        || through.isPresent() != askedAt.isPresent()) {
      throw new IllegalArgumentException(
          "not a state of a topic: %d topic-partitions, at first %d, complete through %s, asked at %s"
              .formatted(topicPartitions, firstTopicPartitions, through, askedAt));
    }
  }
}
