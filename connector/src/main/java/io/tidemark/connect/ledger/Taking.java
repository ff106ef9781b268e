package io.tidemark.connect.ledger;

import io.tidemark.connect.batch.RecordCounts;
import io.tidemark.connect.ledger.entry.AccountedEntry;
import io.tidemark.connect.ledger.entry.AccountedState;
import io.tidemark.connect.ledger.entry.Block;
import io.tidemark.connect.ledger.entry.BlockKind;
import io.tidemark.connect.ledger.entry.HivePartitionId;
import io.tidemark.connect.ledger.entry.HivePartitionSum;
import io.tidemark.connect.ledger.entry.Position;
import io.tidemark.connect.ledger.entry.TopicState;
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
 * Takes accounts by the numbers of their entries, each entry once, in the order of its log. Not
 * safe for use by several threads.
 *
 * <p>An account may come twice, late, or never, and from a task that is fenced: what it tells of is
 * settled all the same. What no account has brought is read from the log, up to an entry that some
 * account tells of, because all entries before that one are settled too.
 */
final class Taking {
  /** Event times that are later than this after their account came are no evidence of anything. */
  private static final Duration BELIEVABLE = Duration.ofSeconds(60);

  private final Ledger ledger;
  private final LedgerSettings settings;
  private final Blocks blocks;
  private final SortedMap<String, SortedMap<Integer, Position>> moved = new TreeMap<>();
  private final List<AccountedEntry.Batch> batches = new ArrayList<>();
  private final Set<HivePartitionId> readFromLog = new TreeSet<>();
  private final Set<String> partial = new TreeSet<>();
  private final SortedMap<String, String> uncounted = new TreeMap<>();
  private final List<Gap> gaps = new ArrayList<>();

  private Taking(Ledger ledger, LedgerSettings settings) {
    this.ledger = ledger;
    this.settings = settings;
    this.blocks = new Blocks(ledger.state().blocks());
  }

  /**
   * Takes what can be taken.
   *
   * @param accounts entries of accounts, in any order
   * @param read entries that were read from logs for {@link Taken#gaps}
   */
  static Taken take(
      Ledger ledger, LedgerSettings settings, List<Arrival> accounts, List<AccountedEntry> read) {
    Taking taking = new Taking(ledger, settings);
    SortedMap<String, SortedMap<Integer, List<Found>>> found = new TreeMap<>();
    for (Arrival account : accounts) {
      add(found, new Found(account.entry(), Optional.of(account.at())));
    }
    for (AccountedEntry entry : read) {
      add(found, new Found(entry, Optional.empty()));
    }
    found.forEach(
        (topic, byTopicPartition) ->
            byTopicPartition.forEach(
                (topicPartition, entries) ->
                    taking.take(topic, topicPartition, List.copyOf(entries))));
    return new Taken(
        taking.moved,
        List.copyOf(taking.batches),
        taking.blocks.all(),
        taking.readFromLog,
        taking.partial,
        taking.uncounted,
        List.copyOf(taking.gaps));
  }

  /** An entry, and when its account came: never, where it was read from the log. */
  private record Found(AccountedEntry entry, Optional<Instant> came) {}

  private static void add(SortedMap<String, SortedMap<Integer, List<Found>>> found, Found one) {
    found
        .computeIfAbsent(one.entry().topic(), topic -> new TreeMap<>())
        .computeIfAbsent(one.entry().topicPartition(), topicPartition -> new ArrayList<>())
        .add(one);
  }

  private void take(String topic, int topicPartition, List<Found> found) {
    TopicState state = ledger.state().topics().getOrDefault(topic, TopicState.unknown());
    Optional<Position> position = Optional.ofNullable(state.at().get(topicPartition));
    found.forEach(this::noteUnseen);
    Optional<Block> gap = blocks.gap(topic, topicPartition);
    if (gap.isPresent()) {
      if (Blocks.holds(gap.get(), settings)) {
        return;
      }
      Optional<Found> newest = newestAccount(found, position);
      if (newest.isEmpty()) {
        return;
      }
      blocks.removeIf(gap.get()::equals);
      position = Optional.of(jump(state, position, newest.get().entry()));
    }
    long accounted =
        found.stream()
            .filter(one -> one.came().isPresent())
            .mapToLong(one -> one.entry().number())
            .max()
            .orElse(0);
    for (; ; ) {
      Step step = next(found, position, accounted);
      if (step.gap) {
        addGap(topic, topicPartition, state, position);
        return;
      }
      if (step.entry.isEmpty()) {
        if (accounted > position.map(Position::number).orElse(0L)) {
          gaps.add(new Gap(topic, topicPartition, position.map(Position::number).orElse(0L)));
        }
        return;
      }
      Found one = step.entry.get();
      if (one.entry().isCheckpoint()) {
        position = Optional.of(jump(state, position, one.entry()));
      } else if (continues(position, one.entry(), state)) {
        position = Optional.of(moveTo(state, position, one));
      } else {
        addGap(topic, topicPartition, state, position);
        return;
      }
    }
  }

  /** The log does not go on where the ledger had come to. */
  private void addGap(
      String topic, int topicPartition, TopicState state, Optional<Position> position) {
    blocks.add(
        BlockKind.GAP,
        topic,
        topicPartition,
        position.map(Position::topicId).orElse(state.topicId()),
        Math.max(0, position.map(Position::next).orElse(0L)),
        Long.MAX_VALUE);
  }

  /** What comes next in a log: an entry, nothing that is known, or a contradiction. */
  private record Step(Optional<Found> entry, boolean gap) {
    static final Step GAP = new Step(Optional.empty(), true);
  }

  private static Step next(List<Found> found, Optional<Position> position, long accounted) {
    long number = position.map(Position::number).orElse(0L);
    Optional<Found> next = Optional.empty();
    Optional<Found> checkpoint = Optional.empty();
    for (Found one : found) {
      long other = one.entry().number();
      if (one.entry().isCheckpoint()) {
        if (other > number && (checkpoint.isEmpty() || checkpoint.get().entry().number() < other)) {
          checkpoint = Optional.of(one);
        }
      } else if (other == number) {
        if (position
            .flatMap(Position::attempt)
            .filter(a -> !a.equals(one.entry().attempt()))
            .isPresent()) {
          return Step.GAP;
        }
      } else if (other == number + 1 && (one.came().isPresent() || other <= accounted)) {
        if (next.isPresent() && !next.get().entry().attempt().equals(one.entry().attempt())) {
          return Step.GAP;
        }
        // An account knows more than the log: when it came.
        next = next.filter(before -> before.came().isPresent()).or(() -> Optional.of(one));
      }
    }
    return new Step(next.isPresent() ? next : checkpoint, false);
  }

  /** Whether the entry after the position is what the log can have there. */
  private static boolean continues(
      Optional<Position> position, AccountedEntry entry, TopicState state) {
    if (position.isEmpty()) {
      return true; // entry 1
    }
    Position at = position.get();
    AccountedState after = entry.state();
    RecordCounts own = ownCounts(entry);
    if (!after.generation().topicId().equals(at.topicId())) {
      return after.counts().equals(own); // the next generation begins
    }
    if (at.next() >= 0 && after.counts().total() == 0 && at.counts().total() == 0) {
      // Nothing has landed: where it begins may be moved, unless something rests on it.
      return after.next() == at.next() || state.through().isEmpty();
    }
    return after.counts().equals(at.counts().plus(own))
        && (at.next() < 0 || firstOf(entry) == at.next());
  }

  private static RecordCounts ownCounts(AccountedEntry entry) {
    return entry.match(
        claim -> RecordCounts.NONE,
        AccountedEntry.Batch::counts,
        skip -> new RecordCounts(0, 0, skip.range().size(), 0, 0),
        checkpoint -> RecordCounts.NONE);
  }

  private static long firstOf(AccountedEntry entry) {
    return entry.match(
        claim -> claim.state().next(),
        batch -> batch.range().first(),
        skip -> skip.range().first(),
        checkpoint -> checkpoint.state().next());
  }

  private Position moveTo(TopicState state, Optional<Position> before, Found found) {
    AccountedEntry entry = found.entry();
    String topicId = entry.state().generation().topicId();
    noteTopic(state, before, entry);
    Optional<Instant> newest =
        before.filter(at -> at.topicId().equals(topicId)).flatMap(Position::newest);
    Optional<AccountedEntry.Batch> asBatch = entry.asBatch();
    if (asBatch.isPresent()) {
      AccountedEntry.Batch batch = asBatch.get();
      batches.add(batch);
      blocks.add(
          BlockKind.LOST, entry.topic(), entry.topicPartition(), topicId, batch.notLanded().lost());
      addDeadLettered(batch, topicId);
      if (found.came().isEmpty()) {
        batch.sums().forEach(sum -> readFromLog.add(sum.id()));
      }
      newest = later(newest, evidence(batch, found.came()));
    }
    Uncountable.in(entry).ifPresent(what -> uncounted.put(entry.topic(), what));
    return put(entry, Optional.of(entry.attempt()), former(before, topicId), newest);
  }

  private void addDeadLettered(AccountedEntry.Batch batch, String topicId) {
    if (settings.holdOn().contains(BlockKind.DEAD_LETTERED)) {
      blocks.add(
          BlockKind.DEAD_LETTERED,
          batch.topic(),
          batch.topicPartition(),
          topicId,
          batch.notLanded().deadLettered());
    }
  }

  /** Goes on at an entry without those before it: their counts are known, their files are not. */
  private Position jump(TopicState state, Optional<Position> before, AccountedEntry entry) {
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
      addWhole(BlockKind.LOST, entry, topicId, from);
    }
    if (more.deadLettered() > 0 && settings.holdOn().contains(BlockKind.DEAD_LETTERED)) {
      addWhole(BlockKind.DEAD_LETTERED, entry, topicId, from);
    }
    // What an earlier generation has landed is in no state of this one.
    boolean formerUnknown = same.isEmpty() && entry.state().generation().number() > 1;
    if (more.landed() > 0 || formerUnknown) {
      partial.add(entry.topic());
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

  private void addWhole(BlockKind kind, AccountedEntry entry, String topicId, long from) {
    long to = entry.state().next();
    blocks.add(
        kind, entry.topic(), entry.topicPartition(), topicId, Math.max(0, Math.min(from, to)), to);
  }

  /** The topic was made again, or its topic-partition is met for the first time. */
  private void noteTopic(TopicState state, Optional<Position> before, AccountedEntry entry) {
    String topicId = entry.state().generation().topicId();
    if (before.isPresent() && !before.get().topicId().equals(topicId)) {
      blocks.addDeleted(
          entry.topic(),
          entry.topicPartition(),
          before.get().topicId(),
          before.get().next(),
          ledger.snapshots().values());
      uncounted.put(
          entry.topic(),
          "the topic was made again, seen in topic-partition " + entry.topicPartition());
    }
    boolean begins =
        entry.state().next() >= 0
            && before.filter(at -> at.topicId().equals(topicId) && at.next() >= 0).isEmpty();
    boolean named =
        state.topicId().isEmpty()
            || (state.topicId().equals(topicId)
                && entry.topicPartition() < state.firstTopicPartitions());
    if (begins && !named && entry.state().first() > 0) {
      // It was made since the ledger began, so whatever it had before its first offset is missing.
      blocks.add(
          BlockKind.LOST, entry.topic(), entry.topicPartition(), topicId, 0, entry.state().first());
      uncounted.put(
          entry.topic(),
          "records before offset %d of topic-partition %d were not read"
              .formatted(entry.state().first(), entry.topicPartition()));
    }
  }

  /** The topic before this one, and how far its records had landed. */
  private static Optional<Position.Former> former(Optional<Position> before, String topicId) {
    return before.flatMap(
        at ->
            at.topicId().equals(topicId)
                ? at.former()
                : Optional.of(new Position.Former(at.topicId(), at.next())));
  }

  private Position put(
      AccountedEntry entry,
      Optional<UUID> attempt,
      Optional<Position.Former> former,
      Optional<Instant> newest) {
    Position position =
        new Position(
            entry.number(),
            attempt,
            entry.state().generation().topicId(),
            entry.state().next(),
            entry.state().counts(),
            former,
            newest);
    blocks.landed(
        entry.topic(), entry.topicPartition(), position.topicId(), Math.max(0, position.next()));
    moved
        .computeIfAbsent(entry.topic(), topic -> new TreeMap<>())
        .put(entry.topicPartition(), position);
    return position;
  }

  private void noteUnseen(Found found) {
    found
        .entry()
        .asBatch()
        .ifPresent(
            batch ->
                batch
                    .unseen()
                    .forEach(
                        id ->
                            blocks.addUnseen(
                                batch.topic(), batch.state().generation().topicId(), id)));
  }

  /** Where the ledger goes on after an operator has acknowledged that a log does not continue. */
  private static Optional<Found> newestAccount(List<Found> found, Optional<Position> position) {
    return found.stream()
        .filter(one -> one.came().isPresent())
        .filter(
            one ->
                position.flatMap(Position::attempt).filter(one.entry().attempt()::equals).isEmpty())
        .max(Comparator.comparingLong(one -> one.entry().number()));
  }

  private static Optional<Instant> evidence(AccountedEntry.Batch batch, Optional<Instant> came) {
    return came.flatMap(
        at ->
            batch.sums().stream()
                .map(HivePartitionSum::maxTimestamp)
                .map(Instant::ofEpochMilli)
                .filter(time -> !time.isAfter(at.plus(BELIEVABLE)))
                .max(Comparator.naturalOrder()));
  }

  private static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return one.isEmpty() || (other.isPresent() && other.get().isAfter(one.get())) ? other : one;
  }

  /** What is known of a topic's positions when these have moved. */
  static SortedMap<Integer, Position> positions(TopicState state, Map<Integer, Position> moved) {
    SortedMap<Integer, Position> all = new TreeMap<>(state.at());
    all.putAll(moved);
    return Collections.unmodifiableSortedMap(all);
  }
}
