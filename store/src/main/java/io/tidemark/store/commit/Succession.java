package io.tidemark.store.commit;

import io.tidemark.store.StoragePath;
import io.tidemark.store.batch.OffsetRange;
import io.tidemark.store.batch.RecordCounts;
import io.tidemark.store.log.CorruptLogException;
import io.tidemark.store.log.NumberedEntry;
import io.tidemark.store.table.DataFile;
import io.tidemark.store.table.TableLayout;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Checks whether an entry can follow the previous entry; pure functions. Each entry repeats fields
 * of the previous entry, so a value that was damaged on a disk contradicts a neighbouring entry.
 * {@code docs/PROTOCOL.md}, "Damaged files", lists the fields that no other entry repeats. The
 * contradictions are texts that {@link #require} puts into the sentence of its error.
 */
public final class Succession {
  private Succession() {}

  /** Rejects consecutive entries of a log, in order, that contradict each other. */
  public static void require(StoragePath log, List<NumberedEntry<CommitEntry>> entries)
      throws CorruptLogException {
    for (int i = 0; i < entries.size(); i++) {
      require(log, i == 0 ? Optional.empty() : Optional.of(entries.get(i - 1)), entries.get(i));
    }
  }

  /**
   * Rejects an entry that cannot follow the previous one, or the checkpoint that replaced that.
   * {@code before} is empty for the first entry, or if it is not known.
   */
  public static void require(
      StoragePath log,
      Optional<NumberedEntry<CommitEntry>> before,
      NumberedEntry<CommitEntry> entry)
      throws CorruptLogException {
    Optional<String> contradiction = contradiction(entry);
    if (contradiction.isEmpty() && before.isPresent()) {
      contradiction = contradiction(before.get(), entry);
    }
    if (contradiction.isPresent()) {
      throw new CorruptLogException(
          "%s: entry %d%s: %s. A file of the log was damaged or edited. The task lands nothing until the file is restored: restore %s from a copy."
              .formatted(
                  log,
                  entry.number(),
                  before.map(each -> " does not follow entry " + each.number()).orElse(" is wrong"),
                  contradiction.get(),
                  before
                      .map(each -> log.child(name(each)) + " or " + log.child(name(entry)))
                      .orElse(log.child(name(entry)).toString())));
    }
  }

  private static String name(NumberedEntry<CommitEntry> entry) {
    return String.format(
        Locale.ROOT,
        entry.entry().isCheckpoint() ? "%020d.checkpoint.json" : "%020d.json",
        entry.number());
  }

  private static Optional<String> contradiction(NumberedEntry<CommitEntry> entry) {
    long number = entry.number();
    LogState state = entry.entry().state();
    if (!entry.entry().isCheckpoint() && entry.entry().before().isPresent() != number > 1) {
      return Optional.of("before is " + entry.entry().before());
    }
    return entry
        .entry()
        .match(
            claim -> progressBefore(number, state),
            batch -> progressBefore(number, state).or(() -> places(batch)),
            skip -> progressBefore(number, state),
            checkpoint ->
                differ("publishedThrough", number, state.publishedThrough())
                    .or(() -> differ("registeredThrough", number, state.registeredThrough())),
            adopted -> differ("number", 1L, number).or(() -> progressBefore(number, state)));
  }

  /** An entry is written before its files are published, so both are below its number. */
  private static Optional<String> progressBefore(long number, LogState state) {
    return when(
        state.publishedThrough() >= number || state.registeredThrough() >= number,
        "publishedThrough is "
            + state.publishedThrough()
            + " and registeredThrough "
            + state.registeredThrough());
  }

  /** Checks that the names of a batch's files have its claim, attempt and Hive partitions. */
  private static Optional<String> places(CommitEntry.Batch batch) {
    Set<StoragePath> seen = new HashSet<>();
    for (DataFile file : batch.files()) {
      TableLayout table = batch.layoutOf(file);
      StoragePath claim = file.staged().parent();
      boolean staged =
          claim.parent().equals(table.stagingRoot())
              && claim.name().endsWith("-" + batch.claim())
              && file.staged().name().startsWith(batch.attempt() + "-");
      boolean published =
          file.path().parent().equals(table.partitionDirectory(file.hivePartition()))
              && TableLayout.isVisible(file.path());
      OffsetRange range = batch.range();
      boolean within =
          range.contains(file.firstOffset())
              && range.contains(file.lastOffset())
              && file.firstOffset() <= file.lastOffset();
      if (!staged) {
        return Optional.of(
            "its file %s is staged as %s, which is not of its claim %s and its attempt %s"
                .formatted(file.path(), file.staged(), batch.claim(), batch.attempt()));
      }
      if (!published) {
        return Optional.of(
            "its file %s is not a visible file in the directory of its Hive partition, %s"
                .formatted(file.path(), table.partitionDirectory(file.hivePartition())));
      }
      if (!within) {
        return Optional.of(
            "its file %s has the offsets %d to %d, which are not within its range %s"
                .formatted(file.path(), file.firstOffset(), file.lastOffset(), range));
      }
      if (!seen.add(file.staged()) || !seen.add(file.path())) {
        return Optional.of(
            "it names its file %s, staged as %s, twice".formatted(file.path(), file.staged()));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> contradiction(
      NumberedEntry<CommitEntry> before, NumberedEntry<CommitEntry> entry) {
    LogState then = before.entry().state();
    LogState now = entry.entry().state();
    Optional<String> order =
        differ("number", before.number() + 1, entry.number())
            .or(
                () ->
                    entry.entry().isCheckpoint()
                        ? Optional.empty()
                        : differ(
                            "before",
                            before.entry().identity(),
                            entry.entry().before().orElseThrow()));
    if (order.isPresent()) {
      return order;
    }
    return entry
        .entry()
        .match(
            claim -> claim(before, now),
            batch -> batch(before, batch),
            skip ->
                moved(
                        withEarlierStart(stateBeforeSkip(then, now), skip.range()),
                        now,
                        skip.range(),
                        new RecordCounts(0, 0, skip.range().size(), 0, 0))
                    .or(() -> sameProgress(before, now)),
            checkpoint -> Optional.of("it is a checkpoint"),
            adopted -> Optional.of("it is the first entry of a log"));
  }

  /** Checks a claim: it copies the state unchanged, or begins the next generation. */
  private static Optional<String> claim(NumberedEntry<CommitEntry> before, LogState now) {
    LogState then = before.entry().state();
    Optional<String> progress = sameProgress(before, now);
    if (progress.isPresent()) {
      return progress;
    }
    if (now.generation().equals(then.generation())) {
      return sameOffsets(then, now)
          .or(
              () ->
                  then.leaderEpoch() == LogState.UNKNOWN || now.leaderEpoch() == LogState.UNKNOWN
                      ? Optional.empty()
                      : differ("state.leaderEpoch", then.leaderEpoch(), now.leaderEpoch()));
    }
    Generation of = now.generation();
    boolean corrected = corrected(then, now);
    boolean begun =
        of.number() == then.generation().number() + 1
            && !of.topic().equals(then.generation().topic())
            && now.former().contains(then.generation().topic());
    return when(
        !(corrected && now.empty()) && !(begun && now.next() == LogState.UNKNOWN),
        "its generation is %s with next %d, but the entry before has the generation %s"
            .formatted(of, now.next(), then.generation()));
  }

  /** Returns whether an empty first generation was changed to a topic of another cluster. */
  private static boolean corrected(LogState then, LogState now) {
    Generation of = now.generation();
    return of.number() == 1
        && then.generation().number() == 1
        && then.empty()
        && !of.clusterId().equals(then.generation().clusterId());
  }

  /** Returns the state to which a skip applies: it may begin the generation of another topic. */
  private static LogState stateBeforeSkip(LogState then, LogState now) {
    if (now.generation().equals(then.generation())) {
      return then;
    }
    return corrected(then, now)
        ? then.ofOtherTopic(now.generation().topic(), now.first())
        : then.nextGeneration(now.generation().topic());
  }

  /** Returns the state before a skip. An empty skip sets an earlier start of an empty log. */
  private static LogState withEarlierStart(LogState then, OffsetRange range) {
    return then.empty() && range.size() == 0 && range.first() < then.next()
        ? then.beginningAt(range.first())
        : then;
  }

  private static Optional<String> batch(
      NumberedEntry<CommitEntry> before, CommitEntry.Batch batch) {
    LogState then = before.entry().state();
    LogState now = batch.state();
    return moved(then, now, batch.range(), batch.counts())
        .or(
            () ->
                when(
                    !before.entry().isCheckpoint()
                        && (now.publishedThrough() < then.publishedThrough()
                            || now.registeredThrough() < then.registeredThrough()),
                    "publishedThrough or registeredThrough goes back, to %d and %d"
                        .formatted(now.publishedThrough(), now.registeredThrough())))
        .or(() -> claimOf(before).flatMap(claim -> differ("claim", claim, batch.claim())))
        .or(() -> sameDirectory(before, batch));
  }

  /** Batches of one claim are staged in one directory, which has the number of the claim. */
  private static Optional<String> sameDirectory(
      NumberedEntry<CommitEntry> before, CommitEntry.Batch batch) {
    Optional<String> expected =
        before
            .entry()
            .match(
                claim ->
                    Optional.of(
                        String.format(Locale.ROOT, "-%020d-%s", before.number(), claim.attempt())),
                earlier ->
                    earlier.files().stream().findFirst().map(file -> file.staged().parent().name()),
                skip -> Optional.empty(),
                checkpoint -> Optional.empty(),
                adopted -> Optional.empty());
    for (DataFile file : batch.files()) {
      String name = file.staged().parent().name();
      if (expected.isPresent() && !name.endsWith(expected.get())) {
        return Optional.of(
            "its files are staged in \"%s\", not in \"%s\"".formatted(name, expected.get()));
      }
    }
    return Optional.empty();
  }

  /** Returns the UUID of the claim whose owner wrote an entry; empty for skips and checkpoints. */
  private static Optional<UUID> claimOf(NumberedEntry<CommitEntry> entry) {
    return entry
        .entry()
        .match(
            claim -> Optional.of(claim.attempt()),
            batch -> Optional.of(batch.claim()),
            skip -> Optional.empty(),
            checkpoint -> Optional.empty(),
            adopted -> Optional.empty());
  }

  private static Optional<String> moved(
      LogState then, LogState now, OffsetRange range, RecordCounts counts) {
    if (then.next() != LogState.UNKNOWN && then.next() != range.first()) {
      return differ("range.first", then.next(), range.first());
    }
    LogState after = then.after(range, counts);
    return differ("generation", after.generation(), now.generation())
        .or(() -> sameOffsets(after, now));
  }

  private static Optional<String> sameOffsets(LogState expected, LogState now) {
    return differ("state.first", expected.first(), now.first())
        .or(() -> differ("state.next", expected.next(), now.next()))
        .or(() -> differ("state.counts", expected.counts(), now.counts()))
        .or(
            () ->
                when(
                    !now.former().containsAll(expected.former()),
                    "state.former lacks topics of the entry before: " + now.former()))
        .or(
            () ->
                when(
                    !now.requires().containsAll(expected.requires()),
                    "state.requires lacks features of the entry before: " + now.requires()));
  }

  private static Optional<String> sameProgress(NumberedEntry<CommitEntry> before, LogState now) {
    LogState then = before.entry().state();
    if (before.entry().isCheckpoint()) {
      // A checkpoint may have a higher publishedThrough than the entry with its number.
      return Optional.empty();
    }
    return differ("publishedThrough", then.publishedThrough(), now.publishedThrough())
        .or(() -> differ("registeredThrough", then.registeredThrough(), now.registeredThrough()));
  }

  private static Optional<String> differ(String field, Object expected, Object found) {
    return when(!expected.equals(found), field + " is " + found + " and should be " + expected);
  }

  private static Optional<String> when(boolean wrong, String message) {
    return wrong ? Optional.of(message) : Optional.empty();
  }
}
