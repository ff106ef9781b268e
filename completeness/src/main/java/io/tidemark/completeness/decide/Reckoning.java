package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.AccountedEntry;
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
   * Decides the ledger's next entry. If the decision lists gaps, read their entries. If it lists
   * Hive partitions, look them up in the catalog. Then call this method again with the results.
   * Gaps may be left unread: the affected topics then wait. Hive partitions must be looked up.
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
   * @param taken the number of the entry with the last snapshot, even if no table waits for that
   *     snapshot
   */
  public static boolean asksForSnapshot(Ledger ledger, long taken) {
    return AnnouncedBatches.asks(ledger, taken);
  }

  private Decision decide() {
    Taken taken = Taking.take(ledger, settings, findings.accounts(), findings.read());
    Feeding feeds = new Feeding(ledger.state(), settings, findings);
    SortedMap<String, TableState> sources = feeds.sources();
    List<Hold> holds = holds(taken, sources);
    SortedMap<String, TableState> feeding = feeds.withoutDeletedTopics(sources, holds);
    SortedMap<String, TopicState> topics = topics(taken, holds, feeding);
    SortedMap<String, Instant> reached = new TreeMap<>();
    Reach reach = new Reach(ledger.state(), settings, findings);
    SortedMap<String, TableState> tables = reach.tables(feeding, topics, reached);
    SortedSet<String> moved = new TreeSet<>();
    tables.forEach(
        (name, table) -> {
          TableState before = ledger.state().tables().get(name);
          if (before == null || !before.through().equals(table.through())) {
            moved.add(name);
          }
        });

    Completions completions = new Completions(ledger, settings, topics);
    List<HivePartitionTotal> sums = completions.sums(withTable(taken.batches()), spans);
    SortedMap<HivePartitionId, OpenTotal> totals = ledger.plus(sums);
    List<Completion> complete =
        new ArrayList<>(
            completions.of(totals.values(), findings.look().unseen(), reached, moved, tables, now));
    Set<String> begun = begun(complete);
    EmptyHivePartitions empties = empties(totals.keySet(), complete.size(), reached);
    complete.addAll(completions.ofEmpty(empties.found(), tables));
    tables = empties.noted(tables, ledger.state().tables(), reached, begun);
    Set<HivePartitionId> toLook = toLook(taken, complete);
    complete =
        complete.stream()
            .filter(each -> findings.look().seen().contains(each.total().id()))
            .toList();
    tables = stating(tables, complete);

    LedgerState before = ledger.state();
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
              draft.groups = reach.groups(stated);
              draft.holds = left;
              draft.announcements =
                  AnnouncedBatches.after(ledger, settings, findings, taken, topics, now);
            });
    after = feeds.withoutRemoved(after, taken.moved().keySet(), now);
    boolean changed =
        !taken.moved().isEmpty()
            || !covered.isEmpty()
            || !complete.isEmpty()
            || !after.equals(before);
    return new Decision(
        onlyMoved(after, taken), covered, sums, complete, taken.gaps(), toLook, changed);
  }

  /** Returns the batches of topics that have their own table. */
  private List<AccountedEntry.Batch> withTable(List<AccountedEntry.Batch> batches) {
    return batches.stream()
        .filter(batch -> !findings.topics().nameless().containsKey(batch.topic()))
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

  /**
   * Finds empty Hive partitions that are complete. {@code complete} is the number of completions
   * that the entry already has.
   */
  private EmptyHivePartitions empties(
      Set<HivePartitionId> known, int complete, SortedMap<String, Instant> reached) {
    EmptyHivePartitions empties =
        new EmptyHivePartitions(
            known, findings.look(), spans, LedgerEntry.Reckoning.COMPLETIONS_MOST - complete);
    reached.forEach(
        (table, now) ->
            EmptyHivePartitions.made(ledger.state().tables(), table)
                .ifPresent(made -> empties.find(table, made, now)));
    return empties;
  }

  private List<Hold> holds(Taken taken, Map<String, TableState> sources) {
    Holds holds = new Holds(taken.holds());
    holds.seen(findings.look().seen());
    for (HivePartitionId id : findings.look().unseen()) {
      if (!hasRecords(id, taken)) {
        continue; // No hold: in an empty Hive partition, readers miss no records.
      }
      TableState table = sources.get(id.table().toString());
      for (String topic : table == null ? List.<String>of() : table.topics()) {
        holds.addUnseen(topic, topicOf(topic).topicId(), id);
      }
    }
    Set<String> feeding = new TreeSet<>();
    sources.values().forEach(table -> feeding.addAll(table.topics()));
    for (String topic : findings.gone()) {
      if (!feeding.contains(topic)) {
        continue; // No hold: the topic has no table.
      }
      TopicState state = topicOf(topic);
      holds.addDeleted(
          topic,
          state.topicId(),
          Taking.positions(state, taken.moved(topic)),
          ledger.snapshots().values());
    }
    return holds.all();
  }

  private boolean hasRecords(HivePartitionId id, Taken taken) {
    return ledger.totals().containsKey(id)
        || taken.batches().stream()
            .flatMap(batch -> batch.sums().stream())
            .anyMatch(sum -> sum.id().equals(id));
  }

  private TopicState topicOf(String topic) {
    return ledger.state().topics().getOrDefault(topic, TopicState.unknown());
  }

  /**
   * Returns the topics after all accounts that were read, each complete up to its newest covered
   * snapshot.
   */
  private SortedMap<String, TopicState> topics(
      Taken taken, List<Hold> holds, Map<String, TableState> feeding) {
    SortedSet<String> names = new TreeSet<>(ledger.state().topics().keySet());
    names.addAll(taken.moved().keySet());
    feeding.values().forEach(table -> names.addAll(table.topics()));
    names.addAll(findings.topics().nameless().keySet());
    Coverage coverage = new Coverage(settings, holds, findings.topics().unreadable());
    SortedMap<String, TopicState> topics = new TreeMap<>();
    for (String name : names) {
      TopicState before = topicOf(name);
      SortedMap<Integer, Position> at = Taking.positions(before, taken.moved(name));
      RecordCounts counts = before.counts();
      for (Map.Entry<Integer, Position> each : taken.moved(name).entrySet()) {
        counts =
            counts.plus(
                since(Optional.ofNullable(before.at().get(each.getKey())), each.getValue()));
      }
      Optional<HeldBecause> catalog =
          findings.topics().taken(name).or(() -> findings.look().because(name, feeding));
      topics.put(
          name,
          topic(
              name,
              before,
              at,
              counts,
              Optional.ofNullable(taken.partial().get(name)),
              coverage,
              catalog));
    }
    return topics;
  }

  private TopicState topic(
      String name,
      TopicState before,
      SortedMap<Integer, Position> at,
      RecordCounts counts,
      Optional<Instant> partial,
      Coverage coverage,
      Optional<HeldBecause> catalog) {
    Optional<HeldBecause> held = Optional.empty();
    Optional<Long> newest = Optional.empty();
    for (Map.Entry<Long, Snapshot> each : ledger.snapshots().entrySet()) {
      Snapshot snapshot = each.getValue();
      if (before.through().filter(through -> !snapshot.through().isAfter(through)).isPresent()) {
        continue;
      }
      Optional<HeldBecause> because = catalog.or(() -> coverage.because(name, at, snapshot));
      if (because.isEmpty()) {
        newest = Optional.of(each.getKey());
        held = Optional.empty();
      } else if (held.isEmpty()) {
        held = because;
      }
    }
    Optional<HeldBecause> first = held;
    Optional<Snapshot> snapshot = newest.map(number -> ledger.snapshots().get(number));
    newest.ifPresent(
        number -> covered.put(name, new Covering(number, counts.minus(before.countsBefore()))));
    Optional<HeldBecause> why = findings.topics().taken(name).or(() -> first);
    return new TopicState(
        before.topicId(),
        before.firstTopicPartitions(),
        before.topicPartitions(),
        snapshot.map(Snapshot::through).or(before::through),
        newest.orElse(before.snapshot()),
        snapshot.map(Snapshot::askedAt).or(before::askedAt),
        counts,
        snapshot.isPresent() ? counts : before.countsBefore(),
        partial.map(this::orNow).or(before::partialBefore),
        why,
        before.goneSince(),
        at);
  }

  /** Returns the later of {@code landed} and now: this reckoner's clock may be slow. */
  private Instant orNow(Instant landed) {
    return landed.isAfter(now) ? landed : now;
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

  /**
   * Returns the Hive partitions that must be looked up in the catalog before the decision is final.
   */
  private Set<HivePartitionId> toLook(Taken taken, List<Completion> complete) {
    Set<HivePartitionId> ids = new TreeSet<>();
    if (!findings.look().catalogUnavailable()) {
      ids.addAll(taken.readFromLog());
      complete.forEach(each -> ids.add(each.total().id()));
      ids.removeIf(findings.look()::has);
    }
    return ids;
  }

  /** Returns the snapshots that some topic of a table has not covered. */
  private List<Long> pending(Map<String, TopicState> topics, Map<String, TableState> tables) {
    SortedSet<String> feeding = new TreeSet<>();
    tables.values().forEach(table -> feeding.addAll(table.topics()));
    List<Long> pending = new ArrayList<>();
    ledger
        .snapshots()
        .forEach(
            (number, snapshot) -> {
              boolean waits =
                  feeding.stream()
                      .map(topics::get)
                      .anyMatch(
                          topic ->
                              topic.through().isEmpty()
                                  || topic.through().get().isBefore(snapshot.through()));
              if (waits) {
                pending.add(number);
              }
            });
    return pending;
  }

  /** Returns the state with only the positions and counts that have changed. */
  private LedgerState onlyMoved(LedgerState state, Taken taken) {
    SortedMap<String, TopicState> topics = new TreeMap<>();
    state
        .topics()
        .forEach((name, topic) -> topics.put(name, topic.withAt(new TreeMap<>(taken.moved(name)))));
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
