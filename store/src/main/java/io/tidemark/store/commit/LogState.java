package io.tidemark.store.commit;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.JsonFormat;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The state of a topic-partition's log after an entry. Every entry contains the whole state, with
 * the counts of the whole generation. So an owner only needs the last entry. docs/PROTOCOL.md,
 * "Entries", defines the fields.
 *
 * @param next the first offset that no entry covers; {@link #UNKNOWN} while the start of the
 *     generation is not decided. The first generation then begins at the consumer group's offset, a
 *     later one at Kafka's first offset
 * @param former the topics of earlier generations; answers of Kafka with their ids are outdated
 * @param requires features that a reader must know; see {@link JsonFormat}
 * @param unknown fields of a newer version, which every later entry keeps
 */
public record LogState(
    Generation generation,
    long first,
    long next,
    RecordCounts counts,
    long publishedThrough,
    long registeredThrough,
    int leaderEpoch,
    List<TopicIdentity> former,
    List<String> requires,
    @JsonAnyGetter Map<String, JsonNode> unknown) {

  /** An offset while the start of the generation is not decided, or an unknown leader epoch. */
  public static final int UNKNOWN = -1;

  /** The feature of a log whose first generation continues after another sink. */
  public static final String ADOPTED = "adopted";

  /** Maximum number of former topics that are kept. The oldest are removed first. */
  static final int FORMER_KEPT = 1_000;

  public LogState {
    former = List.copyOf(former);
    requires = List.copyOf(requires);
    unknown = Collections.unmodifiableSortedMap(new TreeMap<>(unknown));
    if (first < UNKNOWN
        || leaderEpoch < UNKNOWN
        || (first == UNKNOWN) != (next == UNKNOWN)
        || counts.total() != next - first
        || publishedThrough < 0
        || registeredThrough < 0) {
      throw new IllegalArgumentException(
          "not a state of a log: offsets from %d to %d, %s, published through %d, registered through %d, leader epoch %d"
              .formatted(first, next, counts, publishedThrough, registeredThrough, leaderEpoch));
    }
  }

  /** Returns the state before the first entry. */
  public static LogState initial(TopicIdentity topic) {
    return new LogState(
        new Generation(1, topic.clusterId(), topic.topicId()),
        UNKNOWN,
        UNKNOWN,
        RecordCounts.NONE,
        0,
        0,
        UNKNOWN,
        List.of(),
        List.of(),
        Map.of());
  }

  /** Returns the start of the next generation, for a topic that replaces this state's topic. */
  public LogState nextGeneration(TopicIdentity topic) {
    Set<TopicIdentity> all = new LinkedHashSet<>(former);
    all.add(generation.topic());
    List<TopicIdentity> kept = all.stream().skip(Math.max(0, all.size() - FORMER_KEPT)).toList();
    return beginning(generation.number() + 1, topic, UNKNOWN, kept);
  }

  /**
   * Replaces this state, in which nothing has landed, by the first state for another topic. The new
   * state begins at the given offset, as the consumer group's offset may be of an earlier one.
   */
  public LogState ofOtherTopic(TopicIdentity topic, long firstOffset) {
    return beginning(1, topic, firstOffset, former);
  }

  private LogState beginning(
      int number, TopicIdentity topic, long firstOffset, List<TopicIdentity> earlier) {
    Generation begun = new Generation(number, topic.clusterId(), topic.topicId());
    return with(begun, firstOffset, firstOffset, RecordCounts.NONE, UNKNOWN, earlier);
  }

  /** Returns this state, in which nothing has landed, with the offset at which it begins. */
  public LogState beginningAt(long firstOffset) {
    return with(generation, firstOffset, firstOffset, counts, leaderEpoch, former);
  }

  /** Returns the state of a log that continues at an offset, after another sink's files. */
  public static LogState adopted(TopicIdentity topic, long next) {
    LogState at = initial(topic).beginningAt(next);
    return new LogState(
        at.generation, next, next, at.counts, 0, 0, UNKNOWN, List.of(), List.of(ADOPTED), Map.of());
  }

  /** Returns whether records before {@code first} are in another sink's files of the table. */
  public boolean adopted() {
    return generation.number() == 1 && requires.contains(ADOPTED);
  }

  /** Returns whether nothing of this generation's topic has landed: the start may be moved. */
  public boolean empty() {
    return first == next && !adopted();
  }

  public LogState after(OffsetRange range, RecordCounts more) {
    long from = first == UNKNOWN ? range.first() : first;
    return with(generation, from, range.next(), counts.plus(more), leaderEpoch, former);
  }

  public LogState withProgress(long published, long inHive) {
    return new LogState(
        generation, first, next, counts, published, inHive, leaderEpoch, former, requires, unknown);
  }

  public LogState withLeaderEpoch(int epoch) {
    return with(generation, first, next, counts, epoch, former);
  }

  private LogState with(
      Generation of, long from, long to, RecordCounts all, int epoch, List<TopicIdentity> earlier) {
    return new LogState(
        of, from, to, all, publishedThrough, registeredThrough, epoch, earlier, requires, unknown);
  }
}
