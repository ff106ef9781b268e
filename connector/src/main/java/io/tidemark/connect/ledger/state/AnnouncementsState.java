package io.tidemark.connect.ledger.state;

import io.tidemark.connect.ledger.account.Sorted;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where the ledger stands with announced batches.
 *
 * @param topicId of the announcements' topic, as Kafka named it last; empty before the first look
 * @param position the next offset to read, by topic-partition of that topic
 * @param since announcements that were sent before are of batches that were not counted from their
 *     beginning; empty where the ledger has counted from its own
 * @param open those that were announced, by id
 * @param counted those that were not announced yet, by id: in a checkpoint all, else those that the
 *     entry changed
 * @param forgotten ids that {@code counted} had before the entry and has no more
 * @param uncounted topics with records whose batches are not known
 */
public record AnnouncementsState(
    String topicId,
    List<Long> position,
    Optional<Instant> since,
    SortedMap<String, OpenBatch> open,
    SortedMap<String, CountedBatch> counted,
    List<String> forgotten,
    SortedMap<String, Uncounted> uncounted) {

  /** The feature that a reader must know once a state has this part. */
  public static final String FEATURE = "announced-batches";

  /** At most so many announced batches are remembered. */
  public static final int OPEN_MOST = 1_000;

  /** So many topics at most the announced batches have together. */
  public static final int OPEN_TOPICS_MOST = 10_000;

  /** At most so many ids are counted before they are announced. */
  public static final int COUNTED_MOST = 10_000;

  public AnnouncementsState {
    position = List.copyOf(position);
    open = Sorted.copyOf(open);
    counted = Sorted.copyOf(counted);
    forgotten = List.copyOf(forgotten);
    uncounted = Sorted.copyOf(uncounted);
    int topics = open.values().stream().mapToInt(batch -> batch.records().size()).sum();
    if (open.size() > OPEN_MOST || topics > OPEN_TOPICS_MOST || counted.size() > COUNTED_MOST) {
      throw new IllegalArgumentException(
          "%d announced batches with %d topics, and %d others, are too many"
              .formatted(open.size(), topics, counted.size()));
    }
    for (long next : position) {
      if (next < 0) {
        throw new IllegalArgumentException("not a position in a topic: " + position);
      }
    }
  }

  /**
   * Nothing announced, nothing counted.
   *
   * @param since when counting begins, where records may have come before
   */
  public static AnnouncementsState begin(Optional<Instant> since) {
    return new AnnouncementsState(
        "", List.of(), since, Sorted.none(), Sorted.none(), List.of(), Sorted.none());
  }

  /** This state for an entry that counts nothing. */
  public AnnouncementsState unchanged() {
    return new AnnouncementsState(
        topicId, position, since, open, Sorted.none(), List.of(), uncounted);
  }

  /** What this state, a whole one, changes of one before. */
  public AnnouncementsState changesSince(Optional<AnnouncementsState> before) {
    Map<String, CountedBatch> was =
        before.<Map<String, CountedBatch>>map(AnnouncementsState::counted).orElse(Map.of());
    SortedMap<String, CountedBatch> changed = new TreeMap<>();
    counted.forEach(
        (id, batch) -> {
          if (!batch.equals(was.get(id))) {
            changed.put(id, batch);
          }
        });
    TreeSet<String> gone = new TreeSet<>(was.keySet());
    gone.removeAll(counted.keySet());
    return new AnnouncementsState(
        topicId, position, since, open, changed, List.copyOf(gone), uncounted);
  }

  /** The whole state after an entry that has changed this one. */
  public AnnouncementsState plus(AnnouncementsState changes) {
    Map<String, CountedBatch> all = new HashMap<>(counted);
    all.putAll(changes.counted);
    changes.forgotten.forEach(all::remove);
    return new AnnouncementsState(
        changes.topicId,
        changes.position,
        changes.since,
        changes.open,
        new TreeMap<>(all),
        List.of(),
        changes.uncounted);
  }
}
