package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.Completion;
import io.tidemark.completeness.ledger.Covering;
import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionTotal;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.LedgerState;
import io.tidemark.completeness.ledger.OpenTotal;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.Snapshot;
import io.tidemark.completeness.ledger.TableState;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.RecordCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Computes the completions that follow from accounts and pending snapshots. Not thread-safe; each
 * decision has its own object.
 */
public final class Reckoning {
  /** The reasons that end when a task lands records. */
  private static final Set<String> WAIT_FOR_TASKS =
      Set.of("BEHIND", "NOT_OPENED", "UNREADABLE", "OPEN_TRANSACTION", "IDLE");

  private final Ledger ledger;
  private final LedgerSettings settings;
  private final Findings findings;
  private final Spans spans;
  private final Instant now;
  private final SortedMap<String, Covering> covered = new TreeMap<>();

  private Reckoning(
      Ledger ledger, LedgerSettings settings, Findings findings, Spans spans, Instant now) {
    this.ledger = ledger;
    this.settings = settings;
    this.findings = findings;
    this.spans = spans;
    this.now = now;
  }

  /**
   * Decides the ledger's next entry. If the decision lists Hive partitions, look them up in the
   * catalog, and call this method again with the results.
   *
   * @param now the reckoner's clock, for the time between revisions and for partial totals
   */
  public static Decision decide(
      Ledger ledger, LedgerSettings settings, Findings findings, Spans spans, Instant now) {
    return new Reckoning(ledger, settings, findings, spans, now).decide();
  }

  /**
   * Returns whether to take a snapshot immediately, because a batch was announced after the last
   * snapshot.
   *
   * @param lastSnapshot the number of the entry with the last snapshot, even if no table waits for
   *     that snapshot
   */
  public static boolean asksForSnapshot(Ledger ledger, long lastSnapshot) {
    return AnnouncedBatchCounter.ask(ledger.state(), lastSnapshot);
  }

  private Decision decide() {
    LedgerState before = ledger.state();
    Taken taken =
        Taking.take(ledger, settings, findings.logs(), findings.look().catalogUnavailable());
    TableTopics tableTopics = new TableTopics(before, settings, findings);
    SortedMap<String, TableState> all = tableTopics.tables();
    List<Hold> holds = holds(taken, all);
    SortedMap<String, TableState> former = tableTopics.withoutDeletedTopics(all, holds);
    SortedMap<String, TopicState> topics = topics(taken, holds, former);
    SortedMap<String, Instant> through = new TreeMap<>();
    CompleteTimes times = new CompleteTimes(before, settings, findings);
    SortedMap<String, TableState> tables = times.tables(former, topics, through);
    SortedSet<String> advanced = new TreeSet<>();
    tables.forEach(
        (name, table) -> {
          TableState known = before.tables().get(name);
          if (known == null || !known.through().equals(table.through())) {
            advanced.add(name);
          }
        });

    Completions completions = new Completions(ledger, settings, topics);
    List<HivePartitionTotal> sums = completions.sums(withTable(taken.batches()), spans);
    SortedMap<HivePartitionId, OpenTotal> totals = ledger.plus(sums);
    List<Completion> complete =
        new ArrayList<>(
            completions.of(
                totals.values(), findings.look().unseen(), through, advanced, tables, now));
    Set<String> begun = begun(complete);
    EmptyHivePartitions empties = empties(totals.keySet(), complete.size(), through);
    complete.addAll(completions.ofEmpty(empties.found(), tables));
    tables = empties.noted(tables, before.tables(), through, begun);
    Set<HivePartitionId> toLook = toLook(taken, complete);
    complete =
        complete.stream()
            .filter(each -> findings.look().seen().contains(each.total().id()))
            .toList();
    tables = stating(tables, complete);

    List<Long> pending = pending(topics, tables);
    SortedMap<String, TableState> stated = tables;
    List<Hold> left =
        new PassedHolds(ledger, settings, covered, tables, totals.values())
            .without(holds, pending, complete);
    LedgerState after =
        before.with(
            draft -> {
              draft.pending = pending;
              draft.topics = topics;
              draft.tables = stated;
              draft.groups = times.groups(stated);
              draft.holds = left;
              draft.announcements =
                  AnnouncedBatchCounter.after(
                      ledger, settings, findings, taken, topics, ended(topics, stated), now);
            });
    after = tableTopics.withoutRemoved(after, taken.moved().keySet(), now);
    boolean changed =
        !taken.moved().isEmpty()
            || !covered.isEmpty()
            || !complete.isEmpty()
            || !after.equals(before);
    return new Decision(onlyMoved(after, taken), covered, sums, complete, toLook, changed);
  }

  /** Returns the topics that no later snapshot has: they were deleted, or have no table. */
  private Set<String> ended(Map<String, TopicState> topics, Map<String, TableState> tables) {
    Set<String> ended = new TreeSet<>(topics.keySet());
    tables.values().forEach(table -> ended.removeAll(table.topics()));
    findings.gone().stream().filter(topics::containsKey).forEach(ended::add);
    return ended;
  }

  /** Returns the batches of topics that have their own table. */
  private List<SettledEntry.Batch> withTable(List<SettledEntry.Batch> batches) {
    return batches.stream()
        .filter(batch -> !findings.topics().nameTaken().containsKey(batch.topic()))
        .toList();
  }

  /**
   * Removes the refused manifests of Hive partitions that have a new completion in this entry. The
   * entry's manifests replace them.
   */
  private static SortedMap<String, TableState> stating(
      Map<String, TableState> tables, List<Completion> complete) {
    SortedMap<String, Set<String>> stated = new TreeMap<>();
    for (Completion each : complete) {
      stated
          .computeIfAbsent(each.total().table().toString(), table -> new TreeSet<>())
          .add(each.total().hivePartition().path());
    }
    SortedMap<String, TableState> after = new TreeMap<>(tables);
    stated.forEach(
        (name, hivePartitions) ->
            after.computeIfPresent(name, (same, table) -> table.stating(hivePartitions)));
    return after;
  }

  /** Returns the tables with a Hive partition that is complete now, or became complete recently. */
  private Set<String> begun(List<Completion> complete) {
    Set<String> tables = new TreeSet<>();
    complete.stream()
        .map(each -> each.total().id())
        .filter(findings.look().seen()::contains)
        .forEach(id -> tables.add(id.table().toString()));
    ledger.totals().values().stream()
        .filter(each -> each.completedAt().isPresent())
        .forEach(each -> tables.add(each.total().table().toString()));
    return tables;
  }

  /** Finds empty Hive partitions that are complete, beside the entry's other completions. */
  private EmptyHivePartitions empties(
      Set<HivePartitionId> known, int complete, SortedMap<String, Instant> through) {
    EmptyHivePartitions empties =
        new EmptyHivePartitions(
            known, findings.look(), spans, LedgerEntry.Reckoning.COMPLETIONS_MOST - complete);
    through.forEach(
        (table, time) ->
            EmptyHivePartitions.made(ledger.state().tables(), table)
                .ifPresent(made -> empties.find(table, made, time)));
    return empties;
  }

  private List<Hold> holds(Taken taken, Map<String, TableState> tables) {
    Holds holds = new Holds(taken.holds());
    holds.seen(findings.look().seen());
    for (HivePartitionId id : findings.look().unseen()) {
      if (!hasRecords(id, taken)) {
        continue; // No hold: in an empty Hive partition, readers miss no records.
      }
      TableState table = tables.get(id.table().toString());
      for (String topic : table == null ? List.<String>of() : table.topics()) {
        holds.addUnseen(topic, ledger.state().topic(topic).topicId(), id);
      }
    }
    for (String topic : findings.gone()) {
      if (tables.values().stream().noneMatch(table -> table.topics().contains(topic))) {
        continue; // No hold: the topic has no table.
      }
      TopicState state = ledger.state().topic(topic);
      holds.addDeleted(
          topic, state, Taking.positions(state, taken.moved(topic)), ledger.snapshots().values());
    }
    return holds.all();
  }

  private boolean hasRecords(HivePartitionId id, Taken taken) {
    return ledger.totals().containsKey(id)
        || taken.batches().stream()
            .flatMap(batch -> batch.sums().stream())
            .anyMatch(sum -> sum.id().equals(id));
  }

  /** Returns the topics after all entries, each complete through its newest covered snapshot. */
  private SortedMap<String, TopicState> topics(
      Taken taken, List<Hold> holds, Map<String, TableState> tables) {
    SortedSet<String> names = new TreeSet<>(ledger.state().topics().keySet());
    names.removeAll(findings.topics().assigned().ended(ledger.state()));
    names.addAll(findings.topics().assigned().topics());
    names.addAll(taken.moved().keySet());
    tables.values().forEach(table -> names.addAll(table.topics()));
    names.addAll(findings.topics().nameTaken().keySet());
    Coverage coverage = new Coverage(settings, holds, findings.topics().unreadable());
    SortedMap<String, TopicState> topics = new TreeMap<>();
    for (String name : names) {
      Optional<HeldBecause> catalog =
          findings
              .topics()
              .withoutTable(name)
              .or(() -> findings.topics().assigned().because(name))
              .or(() -> findings.look().because(name, tables))
              .or(() -> Optional.ofNullable(taken.damaged().get(name)));
      topics.put(name, topic(name, taken, coverage, catalog));
    }
    return topics;
  }

  private TopicState topic(
      String name, Taken taken, Coverage coverage, Optional<HeldBecause> catalog) {
    TopicState before = ledger.state().topic(name);
    SortedMap<Integer, Position> at = Taking.positions(before, taken.moved(name));
    RecordCounts counts =
        taken.moved(name).entrySet().stream()
            .map(
                each -> since(Optional.ofNullable(before.at().get(each.getKey())), each.getValue()))
            .reduce(before.counts(), RecordCounts::plus);
    Optional<Instant> partial = Optional.ofNullable(taken.partial().get(name));
    Optional<HeldBecause> held = Optional.empty();
    Optional<Map.Entry<Long, Snapshot>> newest = Optional.empty();
    for (Map.Entry<Long, Snapshot> each : ledger.snapshots().entrySet()) {
      Snapshot snapshot = each.getValue();
      if (before.through().filter(through -> !snapshot.through().isAfter(through)).isPresent()) {
        continue;
      }
      Optional<HeldBecause> because =
          catalog.or(() -> coverage.because(name, at, snapshot).map(why -> leftOut(name, why)));
      if (because.isEmpty()) {
        newest = Optional.of(each);
        held = Optional.empty();
      } else {
        held = because; // An older snapshot may never be covered: its reason would hide this one.
      }
    }
    Optional<HeldBecause> first = held;
    Optional<HeldBecause> why = findings.topics().withoutTable(name).or(() -> first);
    Optional<Map.Entry<Long, Snapshot>> covering = newest;
    RecordCounts more = counts.minus(before.countsBefore());
    covering.ifPresent(each -> covered.put(name, new Covering(each.getKey(), more)));
    return before.with(
        draft -> {
          covering.ifPresent(
              each -> {
                draft.through = Optional.of(each.getValue().through());
                draft.snapshot = each.getKey();
                draft.askedAt = Optional.of(each.getValue().askedAt());
                draft.countsBefore = counts;
              });
          draft.counts = counts;
          if (partial.isPresent()) { // Not before now: this reckoner's clock may be slow.
            draft.partialBefore = CompleteTimes.later(partial, Optional.of(now));
          }
          draft.held = why;
          draft.assigned = findings.topics().assigned().of(name);
          draft.at = at;
        });
  }

  /** Returns the reason of a topic that waits for tasks which no longer read it. */
  private HeldBecause leftOut(String topic, HeldBecause because) {
    boolean read =
        !WAIT_FOR_TASKS.contains(because.reason())
            || settings.tables().values().stream().anyMatch(topics -> topics.contains(topic));
    return read
        ? because
        : new HeldBecause(
            "NOT_CONFIGURED",
            because.detail() + ". The configuration no longer has the topic for a table");
  }

  /** Returns the number of offsets between two positions, by class. */
  private static RecordCounts since(Optional<Position> before, Position after) {
    return before
        .filter(position -> position.topicId().equals(after.topicId()))
        .map(Position::counts)
        .filter(after.counts()::continues)
        .map(after.counts()::minus)
        .orElse(after.counts());
  }

  /** Returns the Hive partitions to look up in the catalog before the decision is final. */
  private Set<HivePartitionId> toLook(Taken taken, List<Completion> complete) {
    Set<HivePartitionId> ids = new TreeSet<>();
    if (!findings.look().catalogUnavailable()) {
      ids.addAll(taken.toLook());
      complete.forEach(each -> ids.add(each.total().id()));
      ids.removeIf(findings.look()::has);
    }
    return ids;
  }

  /** Returns the snapshots that some topic of a table has not covered. */
  private List<Long> pending(Map<String, TopicState> topics, Map<String, TableState> tables) {
    List<Optional<Instant>> covered =
        tables.values().stream()
            .flatMap(table -> table.topics().stream())
            .map(topic -> topics.getOrDefault(topic, TopicState.unknown()).through())
            .toList();
    return ledger.snapshots().entrySet().stream()
        .filter(
            each ->
                covered.stream()
                    .anyMatch(
                        time -> time.isEmpty() || time.get().isBefore(each.getValue().through())))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the state with only the positions and counts that have changed. */
  private LedgerState onlyMoved(LedgerState state, Taken taken) {
    SortedMap<String, TopicState> topics = new TreeMap<>(state.topics());
    topics.replaceAll((name, topic) -> topic.withAt(new TreeMap<>(taken.moved(name))));
    return state.with(
        draft -> {
          draft.topics = topics;
          draft.announcements =
              state
                  .announcements()
                  .map(whole -> whole.changesSince(ledger.state().announcements()));
        });
  }
}
