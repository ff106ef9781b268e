package io.tidemark.connect.ledger.state;

import io.tidemark.connect.batch.RecordCounts;
import io.tidemark.connect.ledger.account.Sorted;
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
 * @param snapshot the ledger's entry with that snapshot; 0 before the first one
 * @param askedAt when that snapshot was taken
 * @param counts all offsets that were taken, by class
 * @param countsBefore those of them that were taken when {@code through} last moved
 * @param partialBefore sums of Hive partitions that begin before are not whole: the ledger has not
 *     seen all of their files
 * @param held why the newest snapshot is not covered; empty where it is
 * @param goneSince when it was found to be deleted, and feeds no table any more; empty else
 * @param at the positions by topic-partition: in a checkpoint all, else those that the entry
 *     changed
 */
public record TopicState(
    String topicId,
    int firstTopicPartitions,
    int topicPartitions,
    Optional<Instant> through,
    long snapshot,
    Optional<Instant> askedAt,
    RecordCounts counts,
    RecordCounts countsBefore,
    Optional<Instant> partialBefore,
    Optional<Hold> held,
    Optional<Instant> goneSince,
    SortedMap<Integer, Position> at) {

  /** A topic that is there, as far as it is known. */
  public TopicState(
      String topicId,
      int firstTopicPartitions,
      int topicPartitions,
      Optional<Instant> through,
      long snapshot,
      Optional<Instant> askedAt,
      RecordCounts counts,
      RecordCounts countsBefore,
      Optional<Instant> partialBefore,
      Optional<Hold> held,
      SortedMap<Integer, Position> at) {
    this(
        topicId,
        firstTopicPartitions,
        topicPartitions,
        through,
        snapshot,
        askedAt,
        counts,
        countsBefore,
        partialBefore,
        held,
        Optional.empty(),
        at);
  }

  public TopicState {
    at = Sorted.copyOf(at);
    if (firstTopicPartitions < 0
        || topicPartitions < firstTopicPartitions
        || through.isPresent() != askedAt.isPresent()
        || through.isPresent() != snapshot > 0) {
      throw new IllegalArgumentException(
          "not a state of a topic: %d topic-partitions, at first %d, complete through %s by snapshot %d of %s"
              .formatted(topicPartitions, firstTopicPartitions, through, snapshot, askedAt));
    }
  }

  /** A topic of which nothing is known. */
  public static TopicState unknown() {
    return new TopicState(
        "",
        0,
        0,
        Optional.empty(),
        0,
        Optional.empty(),
        RecordCounts.NONE,
        RecordCounts.NONE,
        Optional.empty(),
        Optional.empty(),
        Sorted.none());
  }

  /** This state with other positions. */
  public TopicState withAt(SortedMap<Integer, Position> positions) {
    return new TopicState(
        topicId,
        firstTopicPartitions,
        topicPartitions,
        through,
        snapshot,
        askedAt,
        counts,
        countsBefore,
        partialBefore,
        held,
        goneSince,
        positions);
  }

  /** This state when the topic is deleted, or is not. */
  public TopicState withGoneSince(Optional<Instant> since) {
    return new TopicState(
        topicId,
        firstTopicPartitions,
        topicPartitions,
        through,
        snapshot,
        askedAt,
        counts,
        countsBefore,
        partialBefore,
        held,
        since,
        at);
  }
}
