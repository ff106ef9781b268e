package io.tidemark.completeness.ledger;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.store.log.JsonFormat;
import io.tidemark.store.table.TableName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The ledger's state after an entry. Every entry contains the complete state, except for three
 * parts, of which entries contain only the changes since the checkpoint: the positions of {@link
 * TopicState#at}, the totals of Hive partitions, and {@link AnnouncementsState#counted}.
 *
 * @param lastTick the largest {@link Snapshot#through} for which a snapshot was taken
 * @param pending the numbers of the entries with snapshots that some topic has not covered
 * @param shownThrough the entries up to this number are shown: rows, manifests, events
 * @param holds the open holds, and acknowledged holds while a pending snapshot has their offsets
 * @param announcements the announced batches; empty if no announcements are configured
 * @param requires the features that a reader must know; see {@link JsonFormat}
 * @param unknown fields of a newer version, which every later entry copies
 */
public record LedgerState(
    Optional<Instant> lastTick,
    List<Long> pending,
    long shownThrough,
    SortedMap<String, TopicState> topics,
    SortedMap<String, TableState> tables,
    SortedMap<String, GroupState> groups,
    List<Hold> holds,
    Optional<AnnouncementsState> announcements,
    List<String> requires,
    @JsonAnyGetter Map<String, JsonNode> unknown) {

  public static final int PENDING_MOST = 32;

  public LedgerState {
    pending = List.copyOf(pending);
    topics = Sorted.copyOf(topics);
    tables = Sorted.copyOf(tables);
    groups = Sorted.copyOf(groups);
    holds = List.copyOf(holds);
    requires = List.copyOf(requires);
    unknown = Sorted.copyOf(unknown);
    tables.keySet().forEach(TableName::parse);
    if (announcements.isPresent() != requires.contains(AnnouncementsState.FEATURE)) {
      throw new IllegalArgumentException(
          "not a state of a ledger: announcements must be present if and only if it requires %s, and it requires %s"
              .formatted(AnnouncementsState.FEATURE, requires));
    }
    if (shownThrough < 0 || pending.size() > PENDING_MOST) {
      throw new IllegalArgumentException(
          "not a state of a ledger: shown through %d, pending %s".formatted(shownThrough, pending));
    }
    for (int i = 0; i < pending.size(); i++) {
      if (pending.get(i) <= (i == 0 ? 0 : pending.get(i - 1))) {
        throw new IllegalArgumentException("pending snapshots are not in order: " + pending);
      }
    }
  }

  public static LedgerState initial() {
    return new Draft().state();
  }

  /** Returns a topic's state, also of an unknown topic. */
  public TopicState topic(String name) {
    return topics.getOrDefault(name, TopicState.unknown());
  }

  public SortedSet<String> topicsOfTables() {
    SortedSet<String> all = new TreeSet<>();
    tables.values().forEach(table -> all.addAll(table.topics()));
    return all;
  }

  /** Returns when the earliest of the topics' newest covered snapshots was taken. */
  public Optional<Instant> askedAt(List<String> ofTopics) {
    return ofTopics.stream()
        .flatMap(topic -> topic(topic).askedAt().stream())
        .min(Comparator.naturalOrder());
  }

  public LedgerState with(Consumer<Draft> change) {
    Draft draft = new Draft();
    draft.lastTick = lastTick;
    draft.pending = pending;
    draft.shownThrough = shownThrough;
    draft.topics = topics;
    draft.tables = tables;
    draft.groups = groups;
    draft.holds = holds;
    draft.announcements = announcements;
    draft.requires = requires;
    draft.unknown = unknown;
    change.accept(draft);
    return draft.state();
  }

  public LedgerState withoutSnapshot(long number) {
    return with(draft -> draft.pending = pending.stream().filter(each -> each != number).toList());
  }

  /** Returns this state for an entry that changes no position and counts no batch. */
  public LedgerState withoutPositions() {
    SortedMap<String, TopicState> without = new TreeMap<>();
    topics.forEach((name, topic) -> without.put(name, topic.withAt(Sorted.none())));
    return with(
        draft -> {
          draft.topics = without;
          draft.announcements = announcements.map(AnnouncementsState::unchanged);
        });
  }

  /** The components of a state while a changed copy is made. */
  public static final class Draft {
    public Optional<Instant> lastTick = Optional.empty();
    public List<Long> pending = List.of();
    public long shownThrough;
    public SortedMap<String, TopicState> topics = Sorted.none();
    public SortedMap<String, TableState> tables = Sorted.none();
    public SortedMap<String, GroupState> groups = Sorted.none();
    public List<Hold> holds = List.of();
    public Optional<AnnouncementsState> announcements = Optional.empty();
    private List<String> requires = List.of();
    private Map<String, JsonNode> unknown = Map.of();

    private Draft() {}

    private LedgerState state() {
      List<String> required = new ArrayList<>(requires);
      required.remove(AnnouncementsState.FEATURE);
      if (announcements.isPresent()) {
        required.add(AnnouncementsState.FEATURE);
      }
      return new LedgerState(
          lastTick,
          pending,
          shownThrough,
          topics,
          tables,
          groups,
          holds,
          announcements,
          required,
          unknown);
    }
  }
}
