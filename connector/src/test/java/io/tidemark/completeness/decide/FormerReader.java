package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionSum;
import io.tidemark.completeness.ledger.Hold;
import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.TopicState;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Reads accounts by the numbers of their entries: each entry once, in the order of its log. Not
 * thread-safe.
 *
 * <p>An account may arrive twice, late, or never, and may be of a fenced task: its entries are
 * settled in any case. Entries that are in no account are read from the log, up to an entry that
 * some account contains. All entries before that one are also settled. If the log cannot be read,
 * the state of that entry replaces the entries before it, as a checkpoint's state does.
 */
final class FormerReader {
  /** Event times that are later than an account by more than this are ignored. */
  private static final Duration PLAUSIBLE = Duration.ofSeconds(60);

  private final Ledger ledger;
  private final LedgerSettings settings;
  private final Set<FormerTaken.Gap> unreadable;
  private final Holds holds;
  private final SortedMap<String, SortedMap<Integer, Position>> moved = new TreeMap<>();
  private final List<SettledEntry.Batch> batches = new ArrayList<>();
  private final Set<HivePartitionId> readFromLog = new TreeSet<>();
  private final SortedMap<String, Instant> newestAccounts = new TreeMap<>();
  private final SortedMap<String, Instant> partial = new TreeMap<>();
  private final SortedMap<String, String> uncounted = new TreeMap<>();
  private final List<FormerTaken.Gap> gaps = new ArrayList<>();

  private FormerReader(Ledger ledger, LedgerSettings settings, Set<FormerTaken.Gap> unreadable) {
    this.ledger = ledger;
    this.settings = settings;
    this.unreadable = unreadable;
    this.holds = new Holds(ledger.state().holds());
  }

  /**
   * Reads all entries that can be read now.
   *
   * @param accounts the entries of accounts, in any order
   * @param read the entries that were read from logs for {@link FormerTaken#gaps}
   */
  static FormerTaken read(
      Ledger ledger, LedgerSettings settings, List<ReadEntry> accounts, FormerTaken.Read read) {
    FormerReader reader = new FormerReader(ledger, settings, read.unreadable());
    SortedMap<String, SortedMap<Integer, List<FormerSequence.Found>>> found = new TreeMap<>();
    for (ReadEntry account : accounts) {
      reader.newestAccounts.merge(
          account.entry().topic(), account.at(), (one, other) -> one.isAfter(other) ? one : other);
      add(found, new FormerSequence.Found(account.entry(), Optional.of(account.at())));
    }
    for (SettledEntry entry : read.entries()) {
      add(found, new FormerSequence.Found(entry, Optional.empty()));
    }
    found.forEach(
        (topic, byTopicPartition) ->
            byTopicPartition.forEach(
                (topicPartition, entries) ->
                    reader.read(topic, topicPartition, List.copyOf(entries))));
    return new FormerTaken(
        reader.moved,
        List.copyOf(reader.batches),
        reader.holds.all(),
        reader.readFromLog,
        reader.partial,
        reader.uncounted,
        List.copyOf(reader.gaps));
  }

  private static void add(
      SortedMap<String, SortedMap<Integer, List<FormerSequence.Found>>> found,
      FormerSequence.Found one) {
    found
        .computeIfAbsent(one.entry().topic(), topic -> new TreeMap<>())
        .computeIfAbsent(one.entry().topicPartition(), topicPartition -> new ArrayList<>())
        .add(one);
  }

  private void read(String topic, int topicPartition, List<FormerSequence.Found> found) {
    FormerSequence sequence = new FormerSequence(found);
    TopicState state = ledger.state().topic(topic);
    Optional<Position> position = Optional.ofNullable(state.at().get(topicPartition));
    Optional<Hold> gap = holds.gap(topic, topicPartition);
    if (gap.isPresent()) {
      if (settings.rules().prevents(gap.get())) {
        return;
      }
      Optional<FormerSequence.Found> newest = sequence.newestAccount(position);
      if (newest.isEmpty()) {
        return;
      }
      holds.removeIf(gap.get()::equals);
      position = Optional.of(jump(state, position, newest.get().entry()));
    }
    Optional<SettledEntry> begins =
        position.isEmpty() ? sequence.beginningOfPresentTopic() : Optional.empty();
    if (begins.isPresent() && nothingOfFormerTopics(begins.get(), state)) {
      begins.get().asBatch().ifPresent(batches::add);
      position = Optional.of(jump(state, position, begins.get()));
    }
    for (; ; ) {
      FormerSequence.Step step = sequence.after(position, state);
      if (step instanceof FormerSequence.Unknown) {
        if (!sequence.isAccountedAbove(position)) {
          return;
        }
        FormerTaken.Gap missing =
            new FormerTaken.Gap(topic, topicPartition, position.map(Position::number).orElse(0L));
        if (!unreadable.contains(missing)) {
          gaps.add(missing);
          return;
        }
        Optional<SettledEntry> first = sequence.replacingAccount(position, state);
        if (first.isEmpty()) {
          addGap(topic, topicPartition, state, position);
          return;
        }
        first.get().asBatch().ifPresent(batches::add); // The entry has its batch's files.
        position = Optional.of(jump(state, position, first.get()));
        continue;
      }
      if (!(step instanceof FormerSequence.Next next)) {
        addGap(topic, topicPartition, state, position);
        return;
      }
      position =
          Optional.of(
              next.found().entry().isCheckpoint()
                  ? jump(state, position, next.found().entry())
                  : moveTo(state, position, next.found()));
    }
  }

  /**
   * Returns whether the ledger has no positions of former topics of the same name. Such topics were
   * removed from the ledger, or were deleted before the ledger began.
   */
  private boolean nothingOfFormerTopics(SettledEntry begins, TopicState state) {
    String topicId = begins.state().generation().topicId();
    return (state.topicId().isEmpty() || state.topicId().equals(topicId))
        && state.at().values().stream()
            .allMatch(at -> at.topicId().equals(topicId) && at.former().isEmpty())
        && holds.all().stream()
            .filter(hold -> hold.topic().equals(begins.topic()))
            .allMatch(hold -> hold.topicId().equals(topicId))
        && ledger.snapshots().values().stream()
            .flatMap(
                snapshot -> Optional.ofNullable(snapshot.topics().get(begins.topic())).stream())
            .allMatch(ends -> ends.topicId().equals(topicId));
  }

  /** Adds a hold: the log does not continue at the ledger's position. */
  private void addGap(
      String topic, int topicPartition, TopicState state, Optional<Position> position) {
    holds.add(
        HoldKind.GAP,
        topic,
        topicPartition,
        position.map(Position::topicId).orElse(state.topicId()),
        Math.max(0, position.map(Position::next).orElse(0L)),
        Long.MAX_VALUE);
  }

  private Position moveTo(TopicState state, Optional<Position> before, FormerSequence.Found found) {
    SettledEntry entry = found.entry();
    String topicId = entry.state().generation().topicId();
    noteTopic(state, before, entry);
    Optional<Instant> newest =
        before.filter(at -> at.topicId().equals(topicId)).flatMap(Position::newest);
    Optional<SettledEntry.Batch> asBatch = entry.asBatch();
    if (asBatch.isPresent()) {
      SettledEntry.Batch batch = asBatch.get();
      batches.add(batch);
      holds.add(
          HoldKind.LOST, entry.topic(), entry.topicPartition(), topicId, batch.notLanded().lost());
      addDeadLettered(batch, topicId);
      if (found.came().isEmpty()) {
        batch.sums().forEach(sum -> readFromLog.add(sum.id()));
      }
      newest = CompleteTimes.later(newest, evidence(batch, found.came()));
    }
    uncountable(entry).ifPresent(what -> uncounted.put(entry.topic(), what));
    return put(entry, Optional.of(entry.attempt()), former(before, topicId), newest);
  }

  /**
   * Returns which records of an entry may belong to any announced batch; empty if there are none.
   */
  private static Optional<String> uncountable(SettledEntry entry) {
    Optional<String> what =
        entry.match(
            claim -> Optional.empty(),
            batch -> {
              long mixed = batch.batchIds().mixed();
              long lost = batch.counts().lost();
              return mixed > 0
                  ? Optional.of(mixed + " records are of more batches than an entry counts")
                  : lost > 0 ? Optional.of(lost + " records were lost") : Optional.empty();
            },
            skip -> Optional.of(skip.range().size() + " offsets were skipped by an operator"),
            checkpoint -> Optional.empty());
    return what.map(
        happened ->
            "%s in entry %d of topic-partition %d"
                .formatted(happened, entry.number(), entry.topicPartition()));
  }

  private void addDeadLettered(SettledEntry.Batch batch, String topicId) {
    if (deadLettersHold(batch.topic())) {
      holds.add(
          HoldKind.DEAD_LETTERED,
          batch.topic(),
          batch.topicPartition(),
          topicId,
          batch.notLanded().deadLettered());
    }
  }

  private boolean deadLettersHold(String topic) {
    return settings.rules().of(topic).holdOn().contains(HoldKind.DEAD_LETTERED);
  }

  /**
   * Continues at an entry without the entries before it. The counts of the missing entries are
   * known; their files are unknown.
   */
  private Position jump(TopicState state, Optional<Position> before, SettledEntry entry) {
    String topicId = entry.state().generation().topicId();
    noteTopic(state, before, entry);
    Optional<Position> same = before.filter(at -> at.topicId().equals(topicId));
    RecordCounts known =
        same.map(Position::counts)
            .filter(entry.state().counts()::continues)
            .orElse(RecordCounts.NONE);
    RecordCounts more = entry.state().counts().minus(known);
    long from = same.map(Position::next).filter(next -> next >= 0).orElse(entry.state().first());
    if (more.lost() > 0) {
      addWhole(HoldKind.LOST, entry, topicId, from);
    }
    if (more.deadLettered() > 0 && deadLettersHold(entry.topic())) {
      addWhole(HoldKind.DEAD_LETTERED, entry, topicId, from);
    }
    // The counts begin at 0 in each generation, so the number of records of an earlier generation
    // is unknown.
    boolean formerUnknown = same.isEmpty() && entry.state().generation().number() > 1;
    if (more.landed() > 0 || formerUnknown) {
      partial.put(entry.topic(), newestAccounts.getOrDefault(entry.topic(), Instant.EPOCH));
    }
    if (more.total() > more.notDelivered() || formerUnknown) {
      uncounted.put(
          entry.topic(),
          "entries of topic-partition %d up to %d were not read"
              .formatted(entry.topicPartition(), entry.number()));
    }
    return put(
        entry,
        entry.isCheckpoint() ? Optional.empty() : Optional.of(entry.attempt()),
        former(before, topicId),
        same.flatMap(Position::newest));
  }

  private void addWhole(HoldKind kind, SettledEntry entry, String topicId, long from) {
    long to = entry.state().next();
    holds.add(
        kind, entry.topic(), entry.topicPartition(), topicId, Math.max(0, Math.min(from, to)), to);
  }

  /**
   * Adds the holds of a recreated topic, and the hold of a topic-partition whose first entry was
   * read.
   */
  private void noteTopic(TopicState state, Optional<Position> before, SettledEntry entry) {
    String topicId = entry.state().generation().topicId();
    if (before.isPresent() && hasLeft(before.get(), entry.state().generation(), state)) {
      holds.addDeleted(
          entry.topic(),
          entry.topicPartition(),
          state,
          before.get().topicId(),
          before.get().next(),
          ledger.snapshots().values());
      uncounted.put(
          entry.topic(),
          "the topic was recreated, as seen in topic-partition " + entry.topicPartition());
    }
    boolean begins =
        entry.state().next() >= 0
            && before.filter(at -> at.topicId().equals(topicId) && at.next() >= 0).isEmpty();
    // Before the ledger's first snapshot nothing is known. That snapshot's entry decides.
    if (begins
        && ledger.state().lastTick().isPresent()
        && (state.topicId().equals(topicId)
            || before.filter(at -> isCorrected(at, entry.state().generation())).isEmpty())
        && holds.addBeforeFirst(
            entry.topic(), entry.topicPartition(), state, topicId, entry.state().first())) {
      uncounted.put(
          entry.topic(),
          "records before offset %d of topic-partition %d were not read"
              .formatted(entry.state().first(), entry.topicPartition()));
    }
  }

  /**
   * Returns whether a log has left the topic of a position, with records that may be missing. A
   * cluster that was a mistake has none, unless a snapshot has its topic.
   */
  private static boolean hasLeft(Position before, Generation now, TopicState state) {
    return !before.topicId().equals(now.topicId())
        && (!isCorrected(before, now) || before.topicId().equals(state.topicId()));
  }

  /** Returns whether a log names another cluster than before, while nothing had landed. */
  private static boolean isCorrected(Position before, Generation now) {
    return !before.clusterId().equals(now.clusterId()) && now.number() == 1;
  }

  /** Returns the former topic of the same name, with its first offset that had not landed. */
  private static Optional<Position.Former> former(Optional<Position> before, String topicId) {
    return before.flatMap(
        at ->
            at.topicId().equals(topicId)
                ? at.former()
                : Optional.of(new Position.Former(at.topicId(), at.next())));
  }

  private Position put(
      SettledEntry entry,
      Optional<UUID> attempt,
      Optional<Position.Former> former,
      Optional<Instant> newest) {
    Position position =
        new Position(
            entry.number(),
            entry.attempt(),
            entry.state().generation().clusterId(),
            entry.state().generation().topicId(),
            entry.state().next(),
            entry.state().counts(),
            former,
            newest);
    holds.landed(
        entry.topic(), entry.topicPartition(), position.topicId(), Math.max(0, position.next()));
    moved
        .computeIfAbsent(entry.topic(), topic -> new TreeMap<>())
        .put(entry.topicPartition(), position);
    return position;
  }

  private static Optional<Instant> evidence(SettledEntry.Batch batch, Optional<Instant> came) {
    return came.flatMap(
        at ->
            batch.sums().stream()
                .map(HivePartitionSum::maxTimestamp)
                .map(Instant::ofEpochMilli)
                .filter(time -> !time.isAfter(at.plus(PLAUSIBLE)))
                .max(Comparator.naturalOrder()));
  }

  /** Returns a topic's positions after {@code moved}. */
  static SortedMap<Integer, Position> positions(TopicState state, Map<Integer, Position> moved) {
    SortedMap<Integer, Position> all = new TreeMap<>(state.at());
    all.putAll(moved);
    return Collections.unmodifiableSortedMap(all);
  }
}
