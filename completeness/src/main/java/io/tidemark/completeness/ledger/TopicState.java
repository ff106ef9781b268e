package io.tidemark.completeness.ledger;

import io.tidemark.store.batch.RecordCounts;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * The ledger's state of a topic.
 *
 * @param topicId Kafka's topic id in the newest snapshot; empty before the first snapshot
 * @param firstTopicPartitions the number of topic-partitions of this id in the ledger's first
 *     snapshot; 0 if that snapshot does not have this id
 * @param topicPartitions the largest number of topic-partitions in a snapshot of this id
 * @param through the time through which the topic is complete, by the newest covered snapshot
 * @param snapshot the number of the entry with the newest covered snapshot; 0 before the first
 * @param askedAt when the newest covered snapshot was taken
 * @param counts all offsets of the accounts that were read, by class
 * @param countsBefore these offsets when {@code through} last advanced
 * @param partialBefore the totals of Hive partitions that begin before this time are partial: the
 *     ledger may lack files of them
 * @param held why the newest snapshot is not covered; empty if it is covered
 * @param retired an operator's declaration that producers no longer write to the topic
 * @param goneSince when the topic was found to be deleted and without a table; empty otherwise
 * @param assigned the topic-partitions that tasks have and that no snapshot of the topic has had
 * @param at the positions by topic-partition. A checkpoint has all positions; any other entry has
 *     those that it changed
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
    Optional<HeldBecause> held,
    Optional<Retired> retired,
    Optional<Instant> goneSince,
    SortedMap<Integer, Assigned> assigned,
    SortedMap<Integer, Position> at) {

  /** A declaration, in an entry of the ledger, that producers no longer write to a topic. */
  public record Retired(String topicId, long entry) {}

  public TopicState {
    assigned = Sorted.copyOf(assigned);
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

  public static TopicState unknown() {
    return new Draft().state();
  }

  /**
   * Returns whether the topic with this id was retired, and then covered a snapshot that was taken
   * after the declaration. The snapshot has all of its records, so the topic may be deleted.
   */
  public boolean isRetired(String id) {
    return retired.filter(each -> each.topicId().equals(id) && each.entry() < snapshot).isPresent();
  }

  /** Returns whether a snapshot or an entry of an account had the topic. */
  public boolean isKnown() {
    return !topicId.isEmpty() || !at.isEmpty();
  }

  public TopicState withAt(SortedMap<Integer, Position> positions) {
    return with(draft -> draft.at = positions);
  }

  public TopicState with(Consumer<Draft> change) {
    Draft draft = new Draft();
    draft.topicId = topicId;
    draft.firstTopicPartitions = firstTopicPartitions;
    draft.topicPartitions = topicPartitions;
    draft.through = through;
    draft.snapshot = snapshot;
    draft.askedAt = askedAt;
    draft.counts = counts;
    draft.countsBefore = countsBefore;
    draft.partialBefore = partialBefore;
    draft.held = held;
    draft.retired = retired;
    draft.goneSince = goneSince;
    draft.assigned = assigned;
    draft.at = at;
    change.accept(draft);
    return draft.state();
  }

  /** The components of a state while a changed copy is made. */
  public static final class Draft {
    public String topicId = "";
    public int firstTopicPartitions;
    public int topicPartitions;
    public Optional<Instant> through = Optional.empty();
    public long snapshot;
    public Optional<Instant> askedAt = Optional.empty();
    public RecordCounts counts = RecordCounts.NONE;
    public RecordCounts countsBefore = RecordCounts.NONE;
    public Optional<Instant> partialBefore = Optional.empty();
    public Optional<HeldBecause> held = Optional.empty();
    public Optional<Retired> retired = Optional.empty();
    public Optional<Instant> goneSince = Optional.empty();
    public SortedMap<Integer, Assigned> assigned = Sorted.none();
    public SortedMap<Integer, Position> at = Sorted.none();

    private Draft() {}

    private TopicState state() {
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
          retired,
          goneSince,
          assigned,
          at);
    }
  }
}
