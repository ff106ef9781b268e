package io.tidemark.completeness.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.completeness.ledger.HoldKind;
import io.tidemark.completeness.ledger.LedgerEntry;
import io.tidemark.completeness.ledger.Position;
import io.tidemark.completeness.ledger.SettledEntry;
import io.tidemark.completeness.ledger.SettledState;
import io.tidemark.store.batch.BatchIdCounts;
import io.tidemark.store.batch.NotLanded;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.OffsetRanges;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.commit.Generation;
import io.tidemark.store.log.NumberedEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The decider of accounts that copied entries, beside the one that reads logs up to pointers. Where
 * they differ, the new one is right: each kind of difference says why.
 */
final class FormerDeciderTest {
  private static final int LEDGERS = Integer.getInteger("io.tidemark.ledgers", 2_000);

  enum Difference {
    NONE,
    /** The log does not have the entry of the position: only the new one has a gap. */
    LOG_OLDER,
    /** Accounts name entries of another branch of the log: the former one may count them. */
    OTHER_BRANCH,
    /** Entries were folded before the ledger read them: the former one may have copies of them. */
    FOLDED_UNREAD
  }

  @Test
  void newDeciderTakesWhatTheFormerOneTookOrIsRight() {
    Map<Difference, Integer> found = new EnumMap<>(Difference.class);
    long first = Long.getLong("seed", new Random().nextLong());
    System.out.println("first seed " + first);
    for (int i = 0; i < LEDGERS; i++) {
      new History(first + i, found).run();
    }
    System.out.println(LEDGERS + " ledgers: " + found);
    assertThat(found).containsKeys(Difference.values());
  }

  private static final class History {
    private final long seed;
    private final Random random;
    private final Map<Difference, Integer> found;
    private final boolean restores;
    private final boolean foldsUnread;
    private ListedLog log = new ListedLog();
    private SettledState state = state(1, -1, -1, RecordCounts.NONE);
    private int generation = 1;
    private long settled;
    private final List<ReadEntry> inbox = new ArrayList<>();
    private final Scene scene = new Scene();
    private final Set<UUID> removed = new HashSet<>();
    private Instant now = ModelTopic.START;

    History(long seed, Map<Difference, Integer> found) {
      this.seed = seed;
      this.found = found;
      this.random = new Random(seed);
      this.restores = random.nextInt(3) == 0;
      this.foldsUnread = random.nextInt(3) == 0;
    }

    private static SettledState state(int generation, long first, long next, RecordCounts counts) {
      return new SettledState(
          new Generation(generation, "cluster", "t" + generation), first, next, counts);
    }

    private long last() {
      long folded = log.checkpoint.map(SettledEntry::number).orElse(0L);
      return log.entries.isEmpty() ? folded : Math.max(folded, log.entries.lastKey());
    }

    void run() {
      for (int step = 0; step < 60; step++) {
        now = now.plusSeconds(1 + random.nextInt(60));
        scene.now = now;
        switch (random.nextInt(12)) {
          case 0 -> claim();
          case 1, 2, 3 -> commit();
          case 4, 5, 6 -> settle();
          case 7 -> fold();
          case 8 -> rarely();
          case 9 -> acknowledge();
          default -> reckon();
        }
      }
    }

    private void claim() {
      put(new SettledEntry.Claim("orders", 0, last() + 1, uuid(), state));
    }

    private UUID uuid() {
      return new UUID(random.nextLong(), random.nextLong());
    }

    private void commit() {
      if (last() == 0) {
        claim();
      }
      long from = Math.max(0, state.next());
      long next = from + random.nextInt(4);
      RecordCounts own = new RecordCounts(next - from, 0, 0, 0, 0);
      boolean skip = next > from && random.nextInt(6) == 0;
      RecordCounts counts = skip ? new RecordCounts(0, 0, next - from, 0, 0) : own;
      state =
          state(
              generation,
              state.first() < 0 ? from : state.first(),
              next,
              state.counts().plus(counts));
      put(
          skip
              ? new SettledEntry.Skip(
                  "orders", 0, last() + 1, uuid(), state, new OffsetRange(from, next))
              : new SettledEntry.Batch(
                  "orders",
                  0,
                  last() + 1,
                  uuid(),
                  state,
                  new OffsetRange(from, next),
                  own,
                  new NotLanded(
                      OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE, OffsetRanges.NONE),
                  next == from ? List.of() : Scene.batch(0, 1, "t", from, next, 0).sums(),
                  BatchIdCounts.NONE));
    }

    private void put(SettledEntry entry) {
      log.put(entry, now);
    }

    private void settle() {
      if (settled < last()) {
        settled++;
        SettledEntry entry = log.entries.get(settled);
        for (int copies = entry == null ? 0 : random.nextInt(3); copies > 0; copies--) {
          inbox.add(new ReadEntry(now, entry));
        }
      }
    }

    /** Tasks fold what the ledger has released; at times more. */
    private void fold() {
      long read = position().map(Position::number).orElse(0L);
      long most = foldsUnread && random.nextInt(4) == 0 ? settled : Math.min(settled, read);
      if (most > 0) {
        log.fold(1 + random.nextInt((int) most));
      }
    }

    private void rarely() {
      if (random.nextInt(3) == 0) { // The topic was recreated.
        generation++;
        state = state(generation, -1, -1, RecordCounts.NONE);
        claim();
      } else if (restores && !log.entries.isEmpty()) {
        restore();
      } else if (settled > 0 && log.entries.get(settled) != null) {
        inbox.add(new ReadEntry(now, log.entries.get(settled))); // the hourly account
      }
    }

    /** The log is restored from a copy, or begins anew. */
    private void restore() {
      long first = log.entries.firstKey();
      log.entries.values().forEach(entry -> removed.add(entry.attempt()));
      if (random.nextInt(3) == 0) {
        log = new ListedLog();
        state = state(generation, -1, -1, RecordCounts.NONE);
      } else {
        long kept = first + random.nextInt((int) (last() - first + 1));
        log.entries.tailMap(kept + 1).clear();
        log.times.tailMap(kept + 1).clear();
        state = log.entries.get(kept).state();
        generation = state.generation().number();
      }
      log.entries.values().forEach(entry -> removed.remove(entry.attempt()));
      settled = Math.min(settled, last());
      claim();
    }

    private void acknowledge() {
      scene.acknowledgeAll();
    }

    private Optional<Position> position() {
      return Optional.ofNullable(scene.ledger.state().topic("orders").at().get(0));
    }

    private boolean hasGap() {
      return scene.holds().stream().anyMatch(hold -> hold.kind() == HoldKind.GAP);
    }

    private void reckon() {
      Collections.shuffle(inbox, random);
      List<ReadEntry> came = List.copyOf(inbox.subList(0, random.nextInt(inbox.size() + 1)));
      LogRead read = log.read(scene.ledger, "orders", 0, came, Integer.MAX_VALUE);
      Taken taken = Taking.take(scene.ledger, scene.settings, List.of(read), false);
      if (!hasGap()) {
        found.merge(compare(came, taken, former(came)), 1, Integer::sum);
      }
      Findings findings =
          Findings.of(List.of(read), Findings.Topics.gone(Set.of()), Optional.empty());
      Decision decision = scene.decide(findings);
      if (!decision.toLook().isEmpty()) {
        decision = scene.decide(findings.with(Look.of(decision.toLook(), Set.of())));
      }
      LedgerEntry entry = decision.entry(UUID.randomUUID(), now);
      scene.ledger = scene.ledger.after(new NumberedEntry<>(scene.ledger.number() + 1, entry));
      inbox.removeIf(
          each ->
              position().filter(at -> at.number() >= each.entry().number()).isPresent()
                  || !inLog(each.entry()));
    }

    private FormerTaken former(List<ReadEntry> came) {
      FormerTaken first =
          FormerReader.read(
              scene.ledger, scene.settings, came, new FormerTaken.Read(List.of(), Set.of()));
      if (first.gaps().isEmpty()) {
        return first;
      }
      long after = first.gaps().get(0).after();
      List<SettledEntry> entries = new ArrayList<>();
      log.checkpoint.filter(entry -> entry.number() > after).ifPresent(entries::add);
      entries.addAll(log.entries.tailMap(after + 1).values());
      return FormerReader.read(
          scene.ledger, scene.settings, came, new FormerTaken.Read(entries, Set.of()));
    }

    private boolean inLog(SettledEntry entry) {
      if (removed.contains(entry.attempt())) {
        return false;
      }
      SettledEntry there = log.entries.get(entry.number());
      return there == null
          ? log.checkpoint.filter(folded -> folded.number() >= entry.number()).isPresent()
          : there.attempt().equals(entry.attempt());
    }

    private Difference compare(List<ReadEntry> came, Taken taken, FormerTaken former) {
      String where =
          "seed %d: %s, came %s, log %s, checkpoint %s: new %s, former %s"
              .formatted(
                  seed, position(), came, log.entries.values(), log.checkpoint, taken, former);
      boolean older = position().filter(at -> !isInLog(at)).isPresent();
      if (isSame(taken, former)) {
        return Difference.NONE;
      }
      if (older) {
        // A gap, or nothing if no account gave reason to test the position.
        assertThat(taken.moved("orders")).as(where).isEmpty();
        return Difference.LOG_OLDER;
      }
      if (came.stream().anyMatch(each -> !inLog(each.entry()))) {
        assertThat(taken.batches()).as(where).allMatch(this::inLog);
        assertThat(taken.holds()).as(where).noneMatch(hold -> hold.kind() == HoldKind.GAP);
        return Difference.OTHER_BRANCH;
      }
      if (position().filter(at -> removed.contains(at.attempt())).isPresent()) {
        // Another branch was folded unread, and its counts continue: totals are partial.
        assertThat(taken.batches()).as(where).allMatch(this::inLog);
        assertThat(taken.uncounted().containsKey("orders") == taken.partial().containsKey("orders"))
            .as(where)
            .isTrue();
        return Difference.FOLDED_UNREAD;
      }
      long read = position().map(Position::number).orElse(0L);
      assertThat(log.checkpoint.map(SettledEntry::number).orElse(0L)).as(where).isGreaterThan(read);
      assertThat(taken.batches()).as(where).allMatch(this::inLog);
      Set<UUID> theirs = new HashSet<>();
      former.batches().forEach(batch -> theirs.add(batch.attempt()));
      assertThat(taken.batches()).as(where).allMatch(batch -> theirs.contains(batch.attempt()));
      boolean missesLanded =
          former.batches().stream()
              .filter(batch -> batch.counts().landed() > 0)
              .anyMatch(
                  batch ->
                      taken.batches().stream()
                          .noneMatch(each -> each.attempt().equals(batch.attempt())));
      assertThat(!missesLanded || taken.partial().containsKey("orders")).as(where).isTrue();
      return Difference.FOLDED_UNREAD;
    }

    private boolean isInLog(Position at) {
      SettledEntry there = log.entries.get(at.number());
      return there == null
          ? log.checkpoint
              .filter(
                  folded ->
                      folded.number() == at.number()
                          ? folded.attempt().equals(at.attempt())
                          : folded.number() > at.number()
                              && Succeeding.canReplace(
                                  Optional.of(at), folded, scene.ledger.state().topic("orders")))
              .isPresent()
          : there.attempt().equals(at.attempt());
    }

    private static boolean isSame(Taken taken, FormerTaken former) {
      return withoutTimes(taken.moved("orders").values())
              .equals(withoutTimes(former.moved("orders").values()))
          && taken.batches().equals(former.batches())
          && taken.holds().equals(former.holds())
          && taken.partial().keySet().equals(former.partial().keySet())
          && taken.uncounted().equals(former.uncounted());
    }

    /** The times of evidence are those of entries now, and were those of accounts. */
    private static List<Position> withoutTimes(Iterable<Position> positions) {
      List<Position> all = new ArrayList<>();
      for (Position at : positions) {
        all.add(
            new Position(
                at.number(),
                at.attempt(),
                at.clusterId(),
                at.topicId(),
                at.next(),
                at.counts(),
                at.former(),
                Optional.empty()));
      }
      return all;
    }
  }
}
