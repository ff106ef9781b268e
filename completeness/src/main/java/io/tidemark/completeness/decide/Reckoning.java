package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.RecordCounts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;

/** Computes the completions that follow from accounts and snapshots, once for each object. */
public final class Reckoning {
  /** The reasons that end when a task lands records, or when Kafka answers. */
  private static final Set<String> WAIT_FOR_TASKS =
      Set.of("BEHIND", "NOT_OPENED", "UNREADABLE", "OPEN_TRANSACTION", "IDLE", "TRUNCATED");

  private final Draft draft;

  private Reckoning(Draft draft) {
    this.draft = draft;
  }

  /**
   * Decides the ledger's next entry. If the decision lists Hive partitions, look them up in the
   * catalog, and call this method again with the results. The time between revisions, and partial
   * totals, depend on {@code now}: the reckoner's clock.
   */
  public static Decision decide(
      Ledger ledger, LedgerSettings settings, Findings findings, TimeSpans spans, Instant now) {
    return new Reckoning(new Draft(ledger, settings, findings, spans, now)).decide();
  }

  /**
   * Returns whether to take a snapshot immediately, because a batch was announced after the last
   * snapshot: that of the entry {@code lastSnapshot}, even if no table waits for it.
   */
  public static boolean asksForSnapshot(Ledger ledger, long lastSnapshot) {
    LedgerState state = ledger.state();
    LongStream covered = state.topics().values().stream().mapToLong(TopicState::snapshot);
    LongStream pending = state.pending().stream().mapToLong(Long::longValue);
    long newest = LongStream.concat(covered, pending).reduce(lastSnapshot, Math::max);
    return state.announcements().stream()
        .flatMap(all -> all.open().values().stream())
        .anyMatch(batch -> batch.verdict().isEmpty() && batch.announcedIn() > newest);
  }

  private Decision decide() {
    draft.findings.logs().forEach(read -> new Taking(draft, read).take());
    TableTopics tableTopics = new TableTopics(draft);
    tableTopics.configure();
    addHolds();
    tableTopics.removeDeletedTopics();
    coverSnapshots();
    CompleteTimes times = new CompleteTimes(draft);
    times.ofTables();
    Set<HivePartitionId> toLook = complete();
    draft.pending = pending();
    new PassedHolds(draft).remove();
    times.ofGroups();
    draft.announcements = AnnouncedBatchCounter.after(draft);
    tableTopics.removeFromLedger();
    LedgerState after =
        draft.before.with(
            state -> {
              state.pending = draft.pending;
              state.topics = draft.topics;
              state.tables = draft.tables;
              state.groups = draft.groups;
              state.holds = draft.holds.all();
              state.announcements = draft.announcements;
            });
    boolean changed =
        !draft.moved.isEmpty()
            || !draft.covered.isEmpty()
            || !draft.completions.isEmpty()
            || !after.equals(draft.before);
    return new Decision(
        onlyMoved(after),
        draft.covered,
        draft.sums,
        draft.completions,
        toLook,
        draft.unlooked,
        changed);
  }

  private void addHolds() {
    Look look = draft.findings.look();
    draft.holds.seen(look.seen);
    for (HivePartitionId id : look.unseen) {
      if (!hasRecords(id)) {
        continue; // No hold: in an empty Hive partition, readers miss no records.
      }
      TableState table = draft.tables.get(id.table().toString());
      for (String topic : table == null ? List.<String>of() : table.topics()) {
        draft.holds.addUnseen(topic, draft.before.topic(topic).topicId(), id);
      }
    }
    for (String topic : draft.findings.topics().gone()) {
      if (draft.tables.values().stream().noneMatch(table -> table.topics().contains(topic))) {
        continue; // No hold: the topic has no table.
      }
      draft.holds.addDeleted(
          topic, draft.before.topic(topic), draft.positions(topic), draft.ledger.snapshots());
    }
  }

  private boolean hasRecords(HivePartitionId id) {
    return draft.ledger.totals().containsKey(id)
        || draft.findings.logs().stream()
            .anyMatch(read -> !read.entries().isEmpty() && read.unseen().contains(id))
        || draft.unlooked.stream().anyMatch(topic -> draft.isTopicOf(topic, id.table()))
        || draft.batches.stream()
            .flatMap(batch -> batch.sums().stream())
            .anyMatch(sum -> sum.id().equals(id));
  }

  /** Decides the topics after all entries, each complete through its newest covered snapshot. */
  private void coverSnapshots() {
    Findings.Topics found = draft.findings.topics();
    SortedSet<String> names = new TreeSet<>(draft.before.topics().keySet());
    names.removeAll(found.assigned().ended(draft.before));
    names.addAll(found.assigned().topics());
    names.addAll(draft.moved.keySet());
    draft.tables.values().forEach(table -> names.addAll(table.topics()));
    names.addAll(found.nameTaken().keySet());
    names.forEach(name -> draft.topics.put(name, covered(name)));
  }

  private TopicState covered(String name) {
    TopicState before = draft.before.topic(name);
    SortedMap<Integer, Position> at = draft.positions(name);
    RecordCounts counts = before.counts().plus(draft.counts.getOrDefault(name, RecordCounts.NONE));
    Findings.Topics found = draft.findings.topics();
    Optional<HeldBecause> always =
        found
            .assigned()
            .because(name)
            .or(() -> draft.findings.look().because(name, draft))
            .or(() -> Optional.ofNullable(draft.damaged.get(name)));
    Optional<Instant> partial = Optional.ofNullable(draft.partial.get(name));
    Coverage coverage = new Coverage(draft);
    return before.with(
        topic -> {
          topic.counts = counts;
          topic.at = at;
          topic.assigned = found.assigned().of(name);
          if (partial.isPresent()) { // Not before now: this reckoner's clock may be slow.
            topic.partialBefore =
                CompleteTimes.later(
                    before.partialBefore(), CompleteTimes.later(partial, Optional.of(draft.now)));
          }
          topic.held = Optional.empty();
          for (Map.Entry<Long, Snapshot> each : draft.ledger.snapshots().entrySet()) {
            Snapshot snapshot = each.getValue();
            if (before.through().filter(time -> !snapshot.through().isAfter(time)).isPresent()) {
              continue;
            }
            // An older snapshot may never be covered: its reason would hide this one.
            topic.held =
                found
                    .withoutTable(name)
                    .or(() -> coverage.hold(name, at, snapshot))
                    .or(() -> always)
                    .or(() -> coverage.because(name, at, snapshot).map(why -> leftOut(name, why)))
                    .or(() -> draft.findings.look().unregistered(name, draft));
            if (topic.held.isEmpty()) {
              topic.through = Optional.of(snapshot.through());
              topic.snapshot = each.getKey();
              topic.askedAt = Optional.of(snapshot.askedAt());
              topic.countsBefore = counts;
              RecordCounts more = counts.minus(before.countsBefore());
              draft.covered.put(name, new Covering(each.getKey(), more));
            }
          }
          topic.held = found.withoutTable(name).or(() -> topic.held);
        });
  }

  /** Returns the reason of a topic that waits for tasks which no longer read it. */
  private HeldBecause leftOut(String topic, HeldBecause because) {
    boolean read =
        !WAIT_FOR_TASKS.contains(because.reason())
            || draft.settings.tables().values().stream().anyMatch(topics -> topics.contains(topic));
    return read
        ? because
        : new HeldBecause(
            "NOT_CONFIGURED",
            because.detail() + ". The configuration no longer has the topic for a table");
  }

  /**
   * Completes Hive partitions that readers see, according to the catalog. Returns those to look up
   * in the catalog before the decision is final.
   */
  private Set<HivePartitionId> complete() {
    Completions completions = new Completions(draft);
    completions.sum();
    completions.complete();
    EmptyHivePartitions empties = new EmptyHivePartitions(draft);
    empties.find().forEach(completions::complete);
    empties.note();
    Look look = draft.findings.look();
    Set<HivePartitionId> toLook = new TreeSet<>();
    if (!look.isCatalogUnavailable()) {
      toLook.addAll(draft.toLook);
      draft.completions.forEach(each -> toLook.add(each.total().id()));
      toLook.removeIf(look::has);
    }
    draft.completions.removeIf(each -> !look.seen.contains(each.total().id()));
    // The entry's manifests replace those that the store has refused.
    for (Completion each : draft.completions) {
      draft.tables.computeIfPresent(
          each.total().table().toString(),
          (name, table) -> table.stating(each.total().hivePartition().path()));
    }
    return toLook;
  }

  private List<Long> pending() {
    List<Optional<Instant>> covered =
        draft.tables.values().stream()
            .flatMap(table -> table.topics().stream())
            .map(topic -> draft.topic(topic).through())
            .toList();
    return draft.ledger.snapshots().entrySet().stream()
        .filter(
            each ->
                covered.stream()
                    .anyMatch(
                        time -> time.isEmpty() || time.get().isBefore(each.getValue().through())))
        .map(Map.Entry::getKey)
        .toList();
  }

  private LedgerState onlyMoved(LedgerState state) {
    SortedMap<String, TopicState> topics = new TreeMap<>(state.topics());
    topics.replaceAll((name, topic) -> topic.withAt(draft.moved(name)));
    return state.with(
        changed -> {
          changed.topics = topics;
          changed.announcements =
              state.announcements().map(whole -> whole.changesSince(draft.before.announcements()));
        });
  }
}
