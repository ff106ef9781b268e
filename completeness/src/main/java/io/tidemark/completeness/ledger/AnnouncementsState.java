package io.tidemark.completeness.ledger;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ledger's state of announced batches.
 *
 * @param topicId the id of the announcements' topic at the last read; empty before the first read
 * @param position the next offset to read from the announcements' topic, by topic-partition
 * @param since the start of counting: batches with earlier announcements were not counted from
 *     their beginning; empty if the ledger has counted batches from its own beginning
 * @param counted the batches without an announcement, by id: in a checkpoint all, else the changed
 * @param forgotten the ids that {@code counted} had before the entry and no longer has
 * @param uncounted the topics with records whose batches are unknown
 */
public record AnnouncementsState(
    String topicId,
    List<Long> position,
    Optional<Instant> since,
    SortedMap<String, AnnouncedBatch> open,
    SortedMap<String, CountedBatch> counted,
    List<String> forgotten,
    SortedMap<String, Uncounted> uncounted) {

  /** The feature that a reader must know if a state contains announced batches. */
  public static final String FEATURE = "announced-batches";

  public static final int OPEN_MOST = 1_000;

  /** Maximum number of topics of all announced batches together. */
  public static final int OPEN_TOPICS_MOST = 10_000;

  /** Maximum number of batches that are counted before they are announced. */
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
    if (position.stream().anyMatch(next -> next < 0)) {
      throw new IllegalArgumentException("not a position in a topic: " + position);
    }
  }

  /** Returns a state without batches; {@code since} is empty if no accounts were read before. */
  public static AnnouncementsState begin(Optional<Instant> since) {
    return new AnnouncementsState(
        "", List.of(), since, Sorted.none(), Sorted.none(), List.of(), Sorted.none());
  }

  /** Returns this state for an entry that counts nothing. */
  public AnnouncementsState unchanged() {
    return counting(Sorted.none(), List.of());
  }

  /** Returns this state with more topics of which records are not counted. */
  public AnnouncementsState uncounted(Map<String, Uncounted> more) {
    SortedMap<String, Uncounted> all = new TreeMap<>(uncounted);
    all.putAll(more);
    return new AnnouncementsState(topicId, position, since, open, counted, forgotten, all);
  }

  private AnnouncementsState counting(SortedMap<String, CountedBatch> some, List<String> gone) {
    return new AnnouncementsState(topicId, position, since, open, some, gone, uncounted);
  }

  /** Returns the changes from {@code before} to this state, which is complete. */
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
    return counting(changed, List.copyOf(gone));
  }

  public AnnouncementsState plus(AnnouncementsState changes) {
    Map<String, CountedBatch> all = new HashMap<>(counted);
    all.putAll(changes.counted);
    changes.forgotten.forEach(all::remove);
    return changes.counting(new TreeMap<>(all), List.of());
  }
}
