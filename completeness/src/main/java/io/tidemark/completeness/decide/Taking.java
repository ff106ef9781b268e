package io.tidemark.completeness.decide;

import io.tidemark.completeness.ledger.HeldBecause;
import io.tidemark.completeness.ledger.HivePartitionId;
import io.tidemark.completeness.ledger.HivePartitionSum;
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

/**
 * Takes the entries that were read from commit logs: each entry once, in the order of its log. Not
 * thread-safe.
 */
final class Taking {
  /** Event times that are later than an entry's file by more than this are ignored. */
  private static final Duration PLAUSIBLE = Duration.ofSeconds(60);

  private final Ledger ledger;
  private final LedgerSettings settings;
  private final boolean catalogUnavailable;
  private final Holds holds;
  private final SortedMap<String, SortedMap<Integer, Position>> moved = new TreeMap<>();
  private final List<SettledEntry.Batch> batches = new ArrayList<>();
  private final Set<HivePartitionId> toLook = new TreeSet<>();
  private final SortedMap<String, Instant> partial = new TreeMap<>();
  private final SortedMap<String, String> uncounted = new TreeMap<>();
  private final Set<String> restarted = new TreeSet<>();
  private final SortedMap<String, HeldBecause> damaged = new TreeMap<>();

  private Taking(Ledger ledger, LedgerSettings settings, boolean catalogUnavailable) {
    this.ledger = ledger;
    this.catalogUnavailable = catalogUnavailable;
    this.settings = settings;
    this.holds = new Holds(ledger.state().holds());
  }

  /** Takes all entries that were read. */
  static Taken take(
      Ledger ledger, LedgerSettings settings, List<LogRead> logs, boolean catalogUnavailable) {
    Taking taking = new Taking(ledger, settings, catalogUnavailable);
    logs.forEach(taking::take);
    return new Taken(
        taking.moved,
        List.copyOf(taking.batches),
        taking.holds.all(),
        taking.toLook,
        taking.partial,
        taking.uncounted,
        taking.restarted,
        taking.damaged);
  }

  private void take(LogRead read) {
    String topic = read.topic();
    int topicPartition = read.topicPartition();
    TopicState state = ledger.state().topic(topic);
    Optional<Position> position = Optional.ofNullable(state.at().get(topicPartition));
    if (!read.entries().isEmpty()) {
      // An account keeps naming them: the catalog may have been corrected since.
      String topicId = read.last().entry().state().generation().topicId();
      toLook.addAll(read.unseen());
      if (catalogUnavailable) {
        read.unseen().forEach(id -> holds.addUnseen(topic, topicId, id));
      }
    }
    switch (read.kind()) {
      case CONTRADICTS -> addGap(topic, topicPartition, state, position);
      case RETURNED ->
          holds.gap(topic, topicPartition).ifPresent(gap -> holds.removeIf(gap::equals));
      case DAMAGED ->
          damaged.put(
              topic,
              new HeldBecause(
                  "DAMAGED",
                  "%s-%d: %s. Restore the file from a copy. After 10 minutes the ledger continues without it, and totals are partial"
                      .formatted(topic, topicPartition, read.detail())));
      default -> take(read, state, position);
    }
  }

  private void take(LogRead read, TopicState state, Optional<Position> before) {
    Optional<Position> position = before;
    boolean replaces = read.kind() == LogRead.Kind.REPLACES;
    for (ReadEntry each : read.entries()) {
      SettledEntry entry = each.entry();
      if (replaces || entry.isCheckpoint()) {
        restart(read);
        entry.asBatch().ifPresent(batches::add); // The entry has its batch's files.
        position = Optional.of(jump(state, position, entry, read.at()));
      } else if (Succeeding.continues(position, entry, state)) {
        position = Optional.of(moveTo(state, position, each));
      } else {
        addGap(read.topic(), read.topicPartition(), state, position);
        return;
      }
      replaces = false;
      if (entry.number() < read.lookBelow()) {
        entry.asBatch().ifPresent(batch -> batch.sums().forEach(sum -> toLook.add(sum.id())));
      }
    }
  }

  /**
   * The first entry after an acknowledged gap: what was counted before it may not be in the log.
   */
  private void restart(LogRead read) {
    holds
        .gap(read.topic(), read.topicPartition())
        .ifPresent(
            gap -> {
              holds.removeIf(gap::equals);
              restarted.add(read.topic());
              partial.put(read.topic(), read.at());
              uncounted.put(
                  read.topic(),
                  "the log of topic-partition %d does not continue at the ledger's position"
                      .formatted(read.topicPartition()));
            });
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

  private Position moveTo(TopicState state, Optional<Position> before, ReadEntry read) {
    SettledEntry entry = read.entry();
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
      newest = CompleteTimes.later(newest, evidence(batch, read.at()));
    }
    uncountable(entry).ifPresent(what -> uncounted.put(entry.topic(), what));
    return put(entry, former(before, topicId), newest);
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
  private Position jump(
      TopicState state, Optional<Position> before, SettledEntry entry, Instant accounted) {
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
      partial.put(entry.topic(), accounted);
    }
    if (more.total() > more.notDelivered() || formerUnknown) {
      uncounted.put(
          entry.topic(),
          "entries of topic-partition %d up to %d were not read"
              .formatted(entry.topicPartition(), entry.number()));
    }
    return put(entry, former(before, topicId), same.flatMap(Position::newest));
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
      SettledEntry entry, Optional<Position.Former> former, Optional<Instant> newest) {
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

  /** Returns the newest event time of a batch that is plausible. */
  private static Optional<Instant> evidence(SettledEntry.Batch batch, Instant at) {
    return batch.sums().stream()
        .map(HivePartitionSum::maxTimestamp)
        .map(Instant::ofEpochMilli)
        .filter(time -> !time.isAfter(at.plus(PLAUSIBLE)))
        .max(Comparator.naturalOrder());
  }

  /** Returns a topic's positions after {@code moved}. */
  static SortedMap<Integer, Position> positions(TopicState state, Map<Integer, Position> moved) {
    SortedMap<Integer, Position> all = new TreeMap<>(state.at());
    all.putAll(moved);
    return Collections.unmodifiableSortedMap(all);
  }
}
